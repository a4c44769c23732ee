/**
 * What a run of solid blocks means to us: incoming transfers, how our outgoing transfers ended, and what left our addresses
 * without an outgoing transfer.
 */
import type { TronAddress } from '@aval/tron'
import type { BlockFacts, Movement, Outcome } from '../chain/block.rules.ts'
import type { OutgoingTransfer, Purpose } from '../core/outgoing-transfer.rules.ts'

/** An address of ours. */
export interface OwnAddress {
  /** Null where nobody has claimed it. */
  readonly memberId: bigint | null
  readonly role: 'deposit' | 'hot' | 'cold'
}

/** Only `credit` is ever credited; the others are listed for operators. */
export type Verdict = 'credit' | 'wrong_token' | 'zero_value' | 'failed' | 'wrong_asset'

/** A movement out of an address of ours that no outgoing transfer explains. */
export interface UnexplainedOutflow extends Movement {
  readonly block: number
  readonly at: Date
}

/** A movement to an address of ours, ready to be recorded. */
export interface IncomingTransfer extends UnexplainedOutflow {
  readonly verdict: Verdict
}

/** How an outgoing transfer ended. */
export interface Settlement extends Pick<OutgoingTransfer, 'txid' | 'purpose'> {
  readonly block: number
  readonly at: Date
  readonly success: boolean
  /** java-tron's result, or NO_TRANSFER for a success that moved nothing. */
  readonly result: string
  /** What the recipient got: less than was sent where the token takes a fee. Null when it failed. */
  readonly arrived: bigint | null
  /** In sun. */
  readonly fee: bigint
}

export interface Classified {
  readonly incoming: readonly IncomingTransfer[]
  readonly settlements: readonly Settlement[]
  readonly outflows: readonly UnexplainedOutflow[]
}

/** A block contradicts its receipts about a transfer of ours: nothing from this block on may be recorded. */
export interface Dispute {
  readonly block: number
  readonly txid: string
}

export interface Known {
  readonly usdt: TronAddress
  /** Those of the blocks' addresses that are ours. */
  readonly own: ReadonlyMap<string, OwnAddress>
  /** Our open outgoing transfers, by txid. */
  readonly open: ReadonlyMap<string, OutgoingTransfer>
  /** What transfers of ours were for that a restored database did not know and that have just been recorded, by txid. */
  readonly adopted?: ReadonlyMap<string, Purpose>
}

/** The addresses on which {@link classify} depends. */
export function addressesIn(blocks: readonly BlockFacts[], usdt: TronAddress): string[] {
  const addresses = new Set<string>()
  for (const { movements } of blocks) {
    for (const { to, from, contract } of movements) {
      addresses.add(to)
      if (contract === usdt) addresses.add(from)
    }
  }
  return [...addresses]
}

export function classify(blocks: readonly BlockFacts[], known: Known): Classified | Dispute {
  const incoming: IncomingTransfer[] = []
  const settlements: Settlement[] = []
  const outflows: UnexplainedOutflow[] = []
  for (const block of blocks) {
    for (const outcome of block.outcomes) {
      const transfer = known.open.get(outcome.txid)
      if (transfer === undefined) continue
      if (outcome.disputed) return { block: block.number, txid: outcome.txid }
      settlements.push(settlementOf(transfer, block, outcome, known.usdt))
    }
    for (const movement of block.movements) {
      const entry = { ...movement, block: block.number, at: block.at }
      const verdict = verdictOf(movement, known.usdt)
      const toUs = isToUs(movement, known)
      const fromUs = isFromUs(movement, known)
      if (verdict === 'disputed') {
        if (toUs || fromUs) return { block: block.number, txid: movement.txid }
        continue
      }
      if (toUs) incoming.push({ ...entry, verdict })
      const hasMoved = movement.nature === 'event' && movement.value > 0n
      if (fromUs && hasMoved && !isRefill(movement, known)) outflows.push(entry)
    }
  }
  return { incoming, settlements, outflows }
}

/**
 * The largest single transfer that is credited, in micro-USDT: a thousand million USDT, the largest amount the product
 * takes anywhere. Balances are 64-bit numbers, and thousands of these still fit.
 */
export const LARGEST_CREDIT = 10n ** 15n

/**
 * The verdict on a movement to us, or `disputed` when the node's answers contradict each other and nothing may be recorded.
 *
 * An event of the pinned token above {@link LARGEST_CREDIT}, or one that is not well-formed, is `failed`: it is recorded
 * with its full value at its own log position, so that an operator finds it and nothing overflows.
 */
export function verdictOf(movement: Movement, usdt: TronAddress): Verdict | 'disputed' {
  const pinned = movement.contract === usdt
  switch (movement.nature) {
    case 'event':
      if (!pinned) return 'wrong_token'
      if (movement.value === 0n) return 'zero_value'
      return movement.value <= LARGEST_CREDIT ? 'credit' : 'failed'
    case 'malformed':
      return pinned ? 'failed' : 'wrong_token'
    case 'request':
      return 'failed'
    case 'asset':
      return 'wrong_asset'
    case 'disputed':
      return 'disputed'
    default:
      return movement.nature satisfies never
  }
}

/** Whether an operator should check it soon: an event of the pinned token that cannot be credited. */
export function isAnomaly(movement: Movement, usdt: TronAddress): boolean {
  return movement.nature !== 'request' && movement.contract === usdt && verdictOf(movement, usdt) === 'failed'
}

/**
 * How an outgoing transfer ended, by the solid block that has it. USDT's `transfer` returns false on success and a receipt
 * contains no amounts, so a transfer has happened only where the receipt is a success and the pinned token's own event has
 * its sender and recipient.
 */
function settlementOf(
  { txid, purpose, from, to, amount }: OutgoingTransfer,
  { number, at, movements }: BlockFacts,
  { success, result, fee }: Outcome,
  usdt: TronAddress,
): Settlement {
  const common = { txid, purpose, block: number, at, fee }
  if (!success) return { ...common, success, result, arrived: null }
  if (purpose === 'trx_topup') return { ...common, success, result, arrived: amount }
  const arrived = movements
    .filter((each) => each.txid === txid && each.nature === 'event' && each.contract === usdt)
    .filter((each) => each.from === from && each.to === to)
    .reduce((sum, each) => sum + each.value, 0n)
  if (arrived === 0n) return { ...common, success: false, result: 'NO_TRANSFER', arrived: null }
  return { ...common, success, result, arrived }
}

/** A transfer between our own addresses is no deposit. A withdrawal to a member's deposit address is one. */
function isToUs({ to, txid }: Movement, { own, open, adopted }: Known): boolean {
  const purpose = open.get(txid)?.purpose ?? adopted?.get(txid)
  return own.has(to) && (purpose === undefined || purpose === 'withdrawal')
}

function isFromUs({ from, contract, txid }: Movement, { own, open, usdt, adopted }: Known): boolean {
  return contract === usdt && own.has(from) && !open.has(txid) && adopted?.has(txid) !== true
}

/** What left our addresses by transfers that are not open: where a restored database forgot them, they may be ours. */
export function outflowsOf(blocks: readonly BlockFacts[], known: Known): UnexplainedOutflow[] {
  return blocks.flatMap(({ movements, number, at }) =>
    movements
      .filter(
        (each) =>
          each.nature === 'event' && each.value > 0n && isFromUs(each, known) && !isRefill(each, known),
      )
      .map((each) => ({ ...each, block: number, at })),
  )
}

/** From the cold wallet to the hot one: made by hand, and recorded as an incoming transfer of the hot one. */
function isRefill({ from, to }: Movement, { own }: Known): boolean {
  return own.get(from)?.role === 'cold' && own.get(to)?.role === 'hot'
}
