import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ApprovalRequest,
  type ApprovalRow,
  challengeOf,
  type DecisionRow,
  decisionLeafOf,
  leafOf,
  listOf,
  listOfDecisions,
  MAX_ROWS,
  merkleRoot,
} from './index.ts'

const WALLET = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const row: ApprovalRow = {
  withdrawalId: 7n,
  memberId: 12n,
  amount: 1_500_000_000n,
  fee: 1_000_000n,
  wallet: WALLET,
}
const hashOf = (...parts: (string | Uint8Array)[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest()
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

/** The definition in RFC 6962, section 2.1, word for word. */
function treeHash(leaves: readonly Uint8Array[]): Uint8Array {
  if (leaves.length === 1) return leaves[0] as Uint8Array
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1))
  return hashOf(Uint8Array.of(1), treeHash(leaves.slice(0, split)), treeHash(leaves.slice(split)))
}

describe('the hash of a row', () => {
  it('is over its number, member, amount, fee and wallet', () => {
    expect(hex(leafOf(row))).toBe(hex(hashOf(`\0withdrawal|7|12|1500000000|1000000|${WALLET}`)))
  })

  it('differs where any of them does', () => {
    const others: ApprovalRow[] = [
      { ...row, withdrawalId: 8n },
      { ...row, memberId: 13n },
      { ...row, amount: row.amount + 1n },
      { ...row, fee: row.fee + 1n },
      { ...row, wallet: `${WALLET.slice(0, -1)}9` },
    ]
    expect(new Set([row, ...others].map((each) => hex(leafOf(each)))).size).toBe(6)
  })

  it.each(['', 'T|1', 'T T', 'T\n', `T${'1'.repeat(64)}`])('is not made of the wallet %j', (wallet) => {
    expect(() => leafOf({ ...row, wallet })).toThrow(RangeError)
  })
})

describe('the hash of a decision', () => {
  const decision: DecisionRow = {
    decisionId: 3n,
    kind: 'run_release',
    statement: { sum: '5', run: '7', note: 'looked at "it"' },
  }

  it('is over its number, kind and statement, whatever the order of the names', () => {
    const text = '\0decision|3|run_release|{"note":"looked at \\"it\\"","run":"7","sum":"5"}'
    expect(hex(decisionLeafOf(decision))).toBe(hex(hashOf(text)))
    const { sum = '', run = '', note = '' } = decision.statement
    expect(hex(decisionLeafOf({ ...decision, statement: { note, sum, run } }))).toBe(hex(hashOf(text)))
  })

  it('differs where any of them does', () => {
    const { statement } = decision
    const others: DecisionRow[] = [
      { ...decision, decisionId: 4n },
      { ...decision, kind: 'run_prorate' },
      { ...decision, statement: { ...statement, sum: '6' } },
      { ...decision, statement: { ...statement, more: '' } },
      { ...decision, statement: { sum: '5', run: '7' } },
    ]
    const roots = [decision, ...others].map((each) => listOfDecisions([each]).root)
    expect(new Set(roots).size).toBe(6)
  })

  it('is never that of a withdrawal', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z_]{1,20}$/), fc.string({ maxLength: 80 }), (kind, note) => {
        const made = decisionLeafOf({ decisionId: row.withdrawalId, kind, statement: { note } })
        expect(hex(made)).not.toBe(hex(leafOf(row)))
      }),
    )
    expect(() => decisionLeafOf({ ...decision, kind: 'run|release' })).toThrow(RangeError)
  })

  it.each<[string, Record<string, unknown>]>([
    ['a name with a quote', { 'a"b': '' }],
    ['no name', { '': 'x' }],
    ['a number', { sum: 5 }],
    ['a statement within', { sum: {} }],
  ])('is not made of %s', (_what, statement) => {
    expect(() => decisionLeafOf({ ...decision, statement: statement as Record<string, string> })).toThrow(
      RangeError,
    )
  })
})

describe('the root of a list', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ ...row, withdrawalId: BigInt(index + 1) }))

  it('is that of RFC 6962', () => {
    for (let count = 1; count <= 70; count += 1) {
      const leaves = rows(count).map(leafOf)
      expect(hex(merkleRoot(leaves))).toBe(hex(treeHash(leaves)))
    }
  })

  it('differs where a row is missing, added, changed or moved', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 40 }), fc.nat(), (count, place) => {
        const list = rows(count)
        const at = place % count
        const changed = list.with(at, { ...list[at], amount: 1n } as ApprovalRow)
        const moved = [...list.slice(0, at), ...list.slice(at + 1), list[at] as ApprovalRow]
        const others = [list.toSpliced(at, 1), [...list, row], changed, ...(at < count - 1 ? [moved] : [])]
        for (const other of others) expect(listOf(other).root).not.toBe(listOf(list).root)
      }),
    )
  })

  it('needs a row, and no more than ten thousand', () => {
    expect(() => merkleRoot([])).toThrow(RangeError)
    const many = Array.from({ length: MAX_ROWS + 1 }, () => leafOf(row))
    expect(() => merkleRoot(many)).toThrow(RangeError)
    expect(merkleRoot(many.slice(1))).toHaveLength(32)
  })
})

describe('the challenge', () => {
  const request: ApprovalRequest = {
    network: 'nile',
    purpose: 'withdrawals',
    expiresAt: 1_790_000_000_000,
    nonce: 'ab'.repeat(32),
    root: 'cd'.repeat(32),
    count: 3,
  }

  it('is a hash of all that is asked', () => {
    const text = `aval approval 1\nnile\nwithdrawals\n1790000000000\n${request.nonce}\n3\n${request.root}`
    expect(hex(challengeOf(request))).toBe(hex(hashOf(text)))
  })

  it('for decisions is another than for withdrawals', () => {
    const other = challengeOf({ ...request, purpose: 'decisions' })
    expect(hex(other)).not.toBe(hex(challengeOf(request)))
  })

  it.each<[string, Partial<Record<keyof ApprovalRequest, unknown>>]>([
    ['a network with a line break', { network: 'nile\nx' }],
    ['another purpose', { purpose: 'sweep' }],
    ['a short nonce', { nonce: 'ab' }],
    ['a root in capitals', { root: 'AB'.repeat(32) }],
    ['no rows', { count: 0 }],
    ['an expiry that is no whole number', { expiresAt: 1.5 }],
  ])('is not made of %s', (_what, change) => {
    expect(() => challengeOf({ ...request, ...change } as ApprovalRequest)).toThrow(RangeError)
  })
})
