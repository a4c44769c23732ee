/**
 * What a run of solid blocks means to us: transfers to our addresses, how payments of ours ended, and what left our addresses
 * without a payment of ours.
 */
import type { TronAddress } from '@aval/tron'
import type { Movement } from '../ingest/movements.rules.ts'
import { judge, type Transfer } from '../ingest/verdict.rules.ts'
import { type LivePayment, type Settlement, settlementOf } from '../outgoing/settlement.rules.ts'
import type { BlockFacts } from './facts.rules.ts'

/** An address of ours. */
export interface Ours {
  readonly memberId: bigint
  readonly role: 'deposit' | 'hot' | 'cold'
}

/** A movement out of an address of ours that no payment explains. */
export interface Outflow extends Movement {
  readonly block: number
  readonly at: Date
}

export interface Findings {
  readonly transfers: readonly Transfer[]
  readonly settlements: readonly Settlement[]
  readonly outflows: readonly Outflow[]
}

/** A block contradicts its receipts about something of ours: nothing from it on may be recorded. */
export interface Dispute {
  readonly block: number
  readonly txid: string
}

export interface Known {
  readonly usdt: TronAddress
  /** Those of the blocks' addresses that are ours. */
  readonly ours: ReadonlyMap<string, Ours>
  readonly live: ReadonlyMap<string, LivePayment>
}

/** The addresses on which {@link findingsOf} depends. */
export function partiesOf(blocks: readonly BlockFacts[], usdt: TronAddress): string[] {
  const parties = new Set<string>()
  for (const { movements } of blocks) {
    for (const { to, from, contract } of movements) {
      parties.add(to)
      if (contract === usdt) parties.add(from)
    }
  }
  return [...parties]
}

export function findingsOf(blocks: readonly BlockFacts[], known: Known): Findings | Dispute {
  const transfers: Transfer[] = []
  const settlements: Settlement[] = []
  const outflows: Outflow[] = []
  for (const block of blocks) {
    for (const outcome of block.outcomes) {
      const payment = known.live.get(outcome.txid)
      if (payment === undefined) continue
      if (outcome.disputed) return { block: block.number, txid: outcome.txid }
      settlements.push(settlementOf(payment, block, outcome, known.usdt))
    }
    for (const movement of block.movements) {
      const place = { ...movement, block: block.number, at: block.at }
      const verdict = judge(movement, known.usdt)
      if (isToUs(movement, known)) {
        if (verdict === 'disputed') return { block: block.number, txid: movement.txid }
        transfers.push({ ...place, verdict })
      }
      if (!isFromUs(movement, known)) continue
      if (verdict === 'disputed') return { block: block.number, txid: movement.txid }
      if (movement.nature === 'event' && movement.value > 0n && !isRefill(movement, known))
        outflows.push(place)
    }
  }
  return { transfers, settlements, outflows }
}

/** What we move between our own addresses is no deposit. A withdrawal to a member's deposit address is one. */
function isToUs({ to, txid }: Movement, { ours, live }: Known): boolean {
  const payment = live.get(txid)
  return ours.has(to) && (payment === undefined || payment.purpose === 'withdrawal')
}

function isFromUs({ from, contract, txid }: Movement, { ours, live, usdt }: Known): boolean {
  return contract === usdt && ours.has(from) && !live.has(txid)
}

/** From the cold wallet to the hot one: by hand, and recorded as what the hot one got. */
function isRefill({ from, to }: Movement, { ours }: Known): boolean {
  return ours.get(from)?.role === 'cold' && ours.get(to)?.role === 'hot'
}
