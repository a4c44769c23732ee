import { memberWithdrawalChallenge } from '@aval/approvals'
import { createAuthenticator } from '@aval/approvals/testing'
import { encodeTransferCall, transactionId } from '@aval/tron'
import { describe, expect, it } from 'vitest'
import { checkExport } from './offline-check.ts'
import {
  APPROVED_KEYS,
  CHAIN_NOW,
  exported,
  exportedApproval,
  exportedTransfer,
  exportedWallet,
  HOT,
  LIMITS,
  MINUTE,
  STRANGER,
  transactionOf,
  transferCall,
  USDT,
} from './testing/fixtures.ts'

const checked = (file: Export, limits = LIMITS) =>
  checkExport(file, APPROVED_KEYS, limits, new Date(CHAIN_NOW))

it('an export that is right may be signed, and names who approved', () => {
  const { wrong, approvedBy, ignored } = checked(exported())
  expect([wrong, ignored]).toEqual([null, []])
  expect([...approvedBy]).toEqual([
    ['1', ['Ana']],
    ['2', ['Ana']],
    ['3', ['Ana']],
  ])
  expect(checked(exported(), { ...LIMITS, feeLimit: 49n * USDT }).wrong).toContain('burn')
})

describe('an export whose approvals', () => {
  const all = exported()
  const transfers = all.transfers
  const whole = all.approvals.slice(0, 1)
  it.each<[string, string | null, object[]]>([
    ['are missing', null, []],
    ['are of another list of rows', 'list_differs', [{ ...whole[0], rows: whole[0]?.rows.slice(1) }]],
    ['are of another network', 'other_network', [{ ...whole[0], network: 'nile' }]],
    ['have ended', 'approval_expired', [exportedApproval(transfers, { expiresAt: CHAIN_NOW })]],
    [
      'last for more than a day',
      'approval_too_far',
      [exportedApproval(transfers, { expiresAt: CHAIN_NOW + 25 * 60 * MINUTE })],
    ],
    [
      'are signed by another key',
      'unknown_key',
      [exportedApproval(transfers, { by: createAuthenticator('http://localhost:3002') })],
    ],
    [
      'are by somebody whom the key file does not know',
      'not_an_approver',
      [exportedApproval(transfers, { operator: '2' })],
    ],
    ['are of the member', 'not_an_approver', [exportedApproval(transfers, { operator: '101' })]],
    [
      'were signed for another moment',
      'wrong_challenge',
      [{ ...whole[0], expires_at: new Date(CHAIN_NOW + MINUTE).toISOString() }],
    ],
    ['are codes', 'code_not_set_up', [{ ...whole[0], proof: { kind: 'code', code: '123456' } }]],
    ['have a proof of nonsense', 'proof_invalid', [{ ...whole[0], proof: 'yes' }]],
  ])('%s is not signed, and says why', (_what, code, approvals) => {
    const { wrong, ignored } = checked({ ...all, approvals: approvals as Export['approvals'] })
    expect(wrong).toBe('withdrawal 1: 0 of 1 operators approved it')
    expect(ignored).toEqual(code === null ? [] : [expect.stringContaining(code)])
  })

  it('are too few for what a member takes in all is not signed', () => {
    const two = [exportedTransfer(1), { ...exportedTransfer(2), member: '101' }]
    const policy = {
      ...APPROVED_KEYS.policy,
      needed: [...APPROVED_KEYS.policy.needed, { from: 2_000n * USDT, operators: 3 }],
    }
    const low = {
      ...policy,
      needed: [
        { from: 0n, operators: 1 },
        { from: 150n * USDT, operators: 2 },
      ],
    }
    const file = { ...all, transfers: two, approvals: [exportedApproval(two)] }
    expect(checkExport(file, { ...APPROVED_KEYS, policy }, LIMITS, new Date(CHAIN_NOW)).wrong).toBeNull()
    expect(checkExport(file, { ...APPROVED_KEYS, policy: low }, LIMITS, new Date(CHAIN_NOW)).wrong).toContain(
      '1 of 2',
    )
  })

  it('of one operator count once', () => {
    const policy = { ...APPROVED_KEYS.policy, needed: [{ from: 0n, operators: 2 }] }
    const file = { ...all, approvals: [exportedApproval(transfers), exportedApproval(transfers)] }
    expect(checkExport(file, { ...APPROVED_KEYS, policy }, LIMITS, new Date(CHAIN_NOW)).wrong).toContain(
      '1 of 2',
    )
  })
})

type Export = Parameters<typeof checkExport>[0]
const first =
  (change: (one: Export['transfers'][number]) => object) =>
  (all: Export): Export => ({
    ...all,
    transfers: all.transfers.map((one, index) => (index === 0 ? { ...one, ...change(one) } : one)),
  })
const bytesOf = (raw: Uint8Array) => ({ raw: Buffer.from(raw).toString('hex'), txid: transactionId(raw) })
const paying = (data: string) => bytesOf(transactionOf({ ...transferCall(HOT, exportedWallet(1), 1n), data }))

it.each<[string, (all: Export) => Export, string]>([
  ['of another network', (all) => ({ ...all, network: 'mainnet' }), 'another network'],
  ['of another hot wallet', (all) => ({ ...all, hot: STRANGER }), 'another network, token or hot wallet'],
  ['with one changed byte', first(({ raw }) => ({ raw: `${raw.slice(0, -2)}00` })), 'bytes are of another'],
  ['with another recipient', first(() => ({ to: STRANGER })), 'its bytes pay another address'],
  ['with another fee', first(() => ({ fee: '0.40' })), 'the withdrawal is of another amount'],
  ['of another member', first(() => ({ member: '7' })), '0 of 1 operators'],
  ['with another amount', first(() => ({ amount: '99.51' })), 'its bytes pay another amount'],
  [
    'with bytes that pay another address',
    first(() => paying(encodeTransferCall(STRANGER, 99_500_000n))),
    'pay another address',
  ],
  ['with another call', first(() => paying('095ea7b3')), 'something else than transfer'],
  [
    'that pays a withdrawal twice in other bytes',
    first(() => ({ ...exportedTransfer(9), withdrawal: '2' })),
    '0 of 1 operators approved it',
  ],
  [
    'that pays the same twice',
    (all) => ({ ...all, transfers: [...all.transfers, exportedTransfer(1)] }),
    'twice',
  ],
])('an export %s is not signed', (_name, change, line) => {
  expect(checked(change(exported())).wrong).toContain(line)
})

describe('a withdrawal of a member whose passkey alone moves money', () => {
  const passkey = createAuthenticator('http://localhost:3000')
  const { credentialId, publicKey, algorithm } = passkey.passkey
  const expiresAt = CHAIN_NOW - MINUTE
  const nonce = 'cd'.repeat(32)
  const request = {
    network: 'devnet',
    memberId: 101n,
    amount: 100n * USDT,
    wallet: String(exportedWallet(1)),
    expiresAt,
    nonce,
  }
  const key = { version: 1, credential_id: credentialId, algorithm, public_key: publicKey }
  const signedBy = (by = passkey, differs: Partial<typeof request> = {}) => ({
    proof: by.approve(memberWithdrawalChallenge({ ...request, ...differs })),
    expires_at: new Date(expiresAt).toISOString(),
    nonce,
  })
  const wrongOf = (signed: ReturnType<typeof signedBy> | null) => {
    const [one, ...others] = exported().transfers
    if (one === undefined) throw new Error('nothing is exported')
    return checked({ ...exported(), transfers: [{ ...one, member_key: { ...key, signed } }, ...others] })
      .wrong
  }

  it('is signed where the passkey in the export signed exactly it', () => {
    expect(wrongOf(signedBy())).toBeNull()
  })

  it.each<[string, ReturnType<typeof signedBy> | null, string]>([
    ['nothing', null, 'it did not sign'],
    ['another amount', signedBy(passkey, { amount: 1n }), 'wrong_challenge'],
    ['another wallet', signedBy(passkey, { wallet: String(STRANGER) }), 'wrong_challenge'],
    ['it by another passkey', signedBy(createAuthenticator('http://localhost:3000')), 'other_key'],
  ])('is not signed where the passkey signed %s', (_what, signed, line) => {
    expect(wrongOf(signed)).toContain(line)
  })
})
