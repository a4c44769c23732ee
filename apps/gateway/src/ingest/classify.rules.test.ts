import { describe, expect, it } from 'vitest'
import {
  type BlockFacts,
  factLines,
  firstDifference,
  type Movement,
  type Outcome,
} from '../chain/block.rules.ts'
import type { OutgoingTransfer } from '../core/outgoing-transfer.rules.ts'
import { HOT, OTHER_TOKEN, PAYER, someAddress, USDT } from '../testing/scripted-chain.ts'
import { addressesIn, classify, type OwnAddress } from './classify.rules.ts'

const [DEPOSIT, COLD, OUTSIDE] = [someAddress(1), someAddress(2), someAddress(3)]
const own = new Map<string, OwnAddress>([
  [DEPOSIT, { memberId: 7n, role: 'deposit' }],
  [HOT, { memberId: 0n, role: 'hot' }],
  [COLD, { memberId: 0n, role: 'cold' }],
])

const movement = (changes: Partial<Movement> = {}): Movement => ({
  nature: 'event',
  txid: 'a',
  position: 0,
  contract: USDT,
  from: PAYER,
  to: DEPOSIT,
  value: 5n,
  ...changes,
})
const outcome = (changes: Partial<Outcome> = {}): Outcome => ({
  txid: 'a',
  success: true,
  result: 'SUCCESS',
  fee: 9n,
  disputed: false,
  ...changes,
})
const block = (movements: Movement[], outcomes: Outcome[] = []): BlockFacts => ({
  number: 8,
  id: 'id',
  parentId: 'parent',
  at: new Date(0),
  movements,
  outcomes,
})
const transfer = (changes: Partial<OutgoingTransfer> = {}): OutgoingTransfer => ({
  txid: 'a',
  purpose: 'withdrawal',
  from: HOT,
  to: OUTSIDE,
  amount: 5n,
  ...changes,
})
const find = (blocks: BlockFacts[], ...transfers: OutgoingTransfer[]) =>
  classify(blocks, { usdt: USDT, own, open: new Map(transfers.map((each) => [each.txid, each])) })
const sent = movement({ from: HOT, to: OUTSIDE })

describe('an outgoing transfer in a solid block', () => {
  it.each<[string, Movement[], Partial<Outcome>, object]>([
    ['has arrived by its event', [sent], {}, { success: true, arrived: 5n, fee: 9n, result: 'SUCCESS' }],
    [
      'has arrived less the token’s fee',
      [movement({ from: HOT, to: PAYER, value: 1n }), { ...sent, position: 1, value: 4n }],
      {},
      { success: true, arrived: 4n },
    ],
    [
      'failed by its receipt, whatever it asked for',
      [{ ...sent, nature: 'request', position: -1 }],
      { success: false, result: 'OUT_OF_ENERGY' },
      { success: false, arrived: null, result: 'OUT_OF_ENERGY', fee: 9n },
    ],
    ['has not arrived by a receipt alone', [], {}, { success: false, result: 'NO_TRANSFER' }],
    ['nor by an event of another token', [{ ...sent, contract: OTHER_TOKEN }], {}, { success: false }],
    ['nor by an event to another address', [{ ...sent, to: PAYER }], {}, { success: false }],
    ['nor by an event from another address', [{ ...sent, from: PAYER }], {}, { success: false }],
    ['nor by an event of another transaction', [{ ...sent, txid: 'b' }], {}, { success: false }],
  ])('%s', (_name, movements, changes, expected) => {
    const found = find([block(movements, [outcome(changes)])], transfer())
    expect(found).toMatchObject({ settlements: [{ txid: 'a', block: 8, ...expected }], incoming: [] })
  })

  it('in TRX has arrived by its success', () => {
    const topUp = transfer({ purpose: 'trx_topup', to: DEPOSIT, amount: 6n })
    const asset = movement({ nature: 'asset', contract: 'TRX', from: HOT, position: -1, value: 6n })
    const found = find([block([asset], [outcome()])], topUp)
    expect(found).toMatchObject({
      settlements: [{ success: true, arrived: 6n }],
      incoming: [],
      outflows: [],
    })
  })

  it('on which the block and its receipt disagree stops recording from that block on', () => {
    const good = { ...block([movement({ txid: 'z' })]), number: 7 }
    expect(find([good, block([sent], [outcome({ disputed: true })])], transfer())).toEqual({
      block: 8,
      txid: 'a',
    })
  })
})

describe('money between our own addresses', () => {
  it('is neither incoming nor an outflow where an outgoing transfer moves it', () => {
    const sweep = transfer({ purpose: 'sweep', from: DEPOSIT, to: HOT })
    const found = find([block([movement({ from: DEPOSIT, to: HOT })], [outcome()])], sweep)
    expect(found).toMatchObject({ settlements: [{ success: true }], incoming: [], outflows: [] })
  })

  it('is not incoming where that transfer failed, either', () => {
    const sweep = transfer({ purpose: 'sweep', from: DEPOSIT, to: HOT })
    const asked = movement({ nature: 'request', from: DEPOSIT, to: HOT, position: -1 })
    const found = find([block([asked], [outcome({ success: false, result: 'REVERT' })])], sweep)
    expect(found).toMatchObject({ settlements: [{ success: false }], incoming: [], outflows: [] })
  })

  it('is incoming where a member withdraws to a deposit address', () => {
    const found = find([block([movement({ from: HOT })], [outcome()])], transfer({ to: DEPOSIT }))
    expect(found).toMatchObject({
      settlements: [{ success: true }],
      incoming: [{ to: DEPOSIT }],
      outflows: [],
    })
  })

  it('from the cold to the hot wallet refills it', () => {
    expect(find([block([movement({ from: COLD, to: HOT })])])).toMatchObject({
      incoming: [{ to: HOT, verdict: 'credit' }],
      outflows: [],
    })
  })
})

describe('what leaves without an outgoing transfer', () => {
  it.each([
    ['a deposit address', DEPOSIT, OUTSIDE],
    ['the hot wallet, to the cold one', HOT, COLD],
    ['the cold wallet, to any address', COLD, OUTSIDE],
  ])('%s, is an outflow', (_name, from, to) => {
    expect(find([block([movement({ from, to })])])).toMatchObject({ outflows: [{ from, to, block: 8 }] })
  })

  it.each<[string, Partial<Movement>]>([
    ['nothing', { value: 0n }],
    ['another token', { contract: OTHER_TOKEN }],
    ['what was asked for and did not happen', { nature: 'request' }],
  ])('is none for %s', (_name, changes) => {
    expect(find([block([movement({ from: HOT, to: OUTSIDE, ...changes })])])).toMatchObject({ outflows: [] })
  })

  it('is not recorded where block and receipt disagree', () => {
    const disputed = movement({ nature: 'disputed', from: HOT, to: OUTSIDE })
    expect(find([block([disputed])])).toEqual({ block: 8, txid: 'a' })
  })
})

it('every receiver is looked up, and every sender of the pinned token', () => {
  const other = movement({ contract: OTHER_TOKEN, from: COLD, to: OUTSIDE })
  expect(addressesIn([block([movement(), other])], USDT)).toEqual([DEPOSIT, PAYER, OUTSIDE])
})

describe('two nodes contradict each other', () => {
  it.each<[string, BlockFacts, [RegExp, RegExp]]>([
    ['about a block’s id', { ...block([movement()]), id: 'other' }, [/^id id$/, /^id other$/]],
    ['about its time', { ...block([movement()]), at: new Date(1) }, [/^at /, /^at /]],
    ['when one omits a transfer', block([]), [/^event a:0/, /^nothing$/]],
    [
      'when one invents a transfer',
      block([movement(), movement({ txid: 'b' })]),
      [/^nothing$/, /^event b:0/],
    ],
    ['about an amount', block([movement({ value: 6n })]), [/ 5$/, / 6$/]],
    ['about an outcome', block([movement()], [outcome({ result: 'REVERT' })]), [/^nothing$/, /^REVERT a/]],
  ])('%s', (_name, other, [one, two]) => {
    const found = firstDifference(factLines(block([movement()])), factLines(other))
    expect(found?.[0]).toMatch(one)
    expect(found?.[1]).toMatch(two)
  })

  it('and not when they agree', () => {
    expect(firstDifference(factLines(block([movement()])), factLines(block([movement()])))).toBeNull()
    const twice = block([movement(), movement()])
    expect(firstDifference(factLines(block([movement()])), factLines(twice))).toEqual(['4 facts', '5 facts'])
  })
})
