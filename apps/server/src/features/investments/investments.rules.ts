/**
 * Invoices: what a member asked to invest and has two hours to send.
 *
 * States, as a member sees them: *waiting* (nothing seen), *confirming* (seen, not solidified), *short* (less arrived and
 * stands in the balance), *paid*, *expired*.
 */
import { type Micro, micro } from '@aval/money'

export type InvoiceState = 'waiting' | 'confirming' | 'short' | 'paid' | 'expired'

export interface InvoiceFacts {
  readonly stored: 'open' | 'paid' | 'expired'
  /** Investment and fee. */
  readonly due: Micro
  readonly expiresAt: Date
  /** Transfers seen on the chain for this member, not solidified. */
  readonly unconfirmed: readonly { readonly value: bigint; readonly confirmations: number }[]
  /** Arrived for this invoice without paying it. */
  readonly arrived: Micro
}

export interface InvoiceView {
  readonly state: InvoiceState
  readonly received: Micro
  readonly confirmations: number
  readonly missing: Micro
}

/** How long after its deadline an invoice still waits for what was sent in time to be solidified. */
const GRACE_MS = 10 * 60_000

/**
 * The state of an invoice at `now`. An unconfirmed transfer that covers it counts before anything that arrived short. Once it lapsed
 * for good, what is on its way to the member is meant for something else.
 */
export function viewInvoice(facts: InvoiceFacts, now: Date, confirmsNeeded: number): InvoiceView {
  const none = micro(0n)
  if (facts.stored === 'paid') {
    return { state: 'paid', received: facts.due, confirmations: confirmsNeeded, missing: none }
  }
  const isOver = now.getTime() > facts.expiresAt.getTime() + GRACE_MS
  const unconfirmed = isOver ? [] : facts.unconfirmed
  const best = unconfirmed.find(({ value }) => value >= facts.due) ?? unconfirmed[0]
  if (best !== undefined) {
    const received = micro(best.value)
    const confirmations = Math.min(best.confirmations, confirmsNeeded)
    return { state: 'confirming', received, confirmations, missing: shortOf(facts.due, received) }
  }
  const missing = shortOf(facts.due, facts.arrived)
  if (facts.arrived > 0n && missing > 0n) {
    return { state: 'short', received: facts.arrived, confirmations: confirmsNeeded, missing }
  }
  const lapsed = facts.stored === 'expired' || now.getTime() > facts.expiresAt.getTime()
  return { state: lapsed ? 'expired' : 'waiting', received: facts.arrived, confirmations: 0, missing }
}

function shortOf(due: Micro, received: Micro): Micro {
  return micro(received >= due ? 0n : due - received)
}
