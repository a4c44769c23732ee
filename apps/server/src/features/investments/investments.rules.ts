/**
 * How an invoice stands, as its member sees it: *waiting* (nothing seen), *confirming* (seen, not solidified), *partly paid*,
 * *paid*, *expired*, *cancelled*.
 */
import { type Micro, micro } from '@aval/money'
import { applyDeposit, dueOn, type OpenInvoice } from '@aval/plan'

export type InvoiceState = 'waiting' | 'confirming' | 'partly_paid' | 'paid' | 'expired' | 'cancelled'

/** What was seen on the chain for a member and is not solidified. */
export interface Unconfirmed {
  readonly value: bigint
  readonly confirmations: number
}

/** What an invoice will receive once it is solidified. */
export interface OnTheWay {
  readonly value: Micro
  /** Of the transfer that has the fewest. */
  readonly confirmations: number
}

export interface InvoiceFacts extends Omit<OpenInvoice, 'id'> {
  readonly state: string
  readonly expires_at: Date
  readonly onTheWay: OnTheWay | null
  /** All that was credited for it: while it was open, and after it had ended. */
  readonly inTime: Micro
  readonly late: Micro
}

export interface InvoiceView {
  readonly state: InvoiceState
  /** Still takes money: its end is not booked. */
  readonly isOpen: boolean
  readonly received: Micro
  readonly onTheWay: Micro
  readonly confirmations: number
  /** What has to be sent, besides what is on its way. */
  readonly missing: Micro
  /** What came for it and went to the balance: a surplus, what came late, and all that came where it ended unpaid. */
  readonly toBalance: Micro
}

const SHOWN_MS = 86_400_000

/** Invoices that ended unpaid are shown for a day, where money came for them. */
export const unfinishedSince = (now: Date): Date => new Date(now.getTime() - SHOWN_MS)

/** How long after its end an invoice still waits for what was sent in time to be solidified. */
const GRACE_MS = 10 * 60_000
const NONE = micro(0n)

/** Which invoice receives what is on its way: each transfer the oldest one that is not paid, as when they are credited. */
export function assignUnconfirmed(
  seen: readonly Unconfirmed[],
  open: readonly OpenInvoice[],
): ReadonlyMap<bigint, OnTheWay> {
  const assigned = new Map<bigint, OnTheWay>()
  const waiting = open.map((invoice) => ({ ...invoice }))
  for (const { value, confirmations } of seen) {
    const oldest = waiting[0]
    if (oldest === undefined) break
    const before = assigned.get(oldest.id)
    assigned.set(oldest.id, {
      value: micro((before?.value ?? 0n) + value),
      confirmations: Math.min(confirmations, before?.confirmations ?? confirmations),
    })
    const { outcome, part } = applyDeposit(micro(value), oldest)
    if (outcome === 'part') oldest.received = micro(oldest.received + part)
    else waiting.shift()
  }
  return assigned
}

/** How an invoice stands at `now`. Once it is over for good, what is on its way to the member is meant for something else. */
export function viewInvoice(facts: InvoiceFacts, now: Date, confirmsNeeded: number): InvoiceView {
  const { received, inTime, late, expires_at: end } = facts
  const view = { isOpen: false, received, onTheWay: NONE, confirmations: confirmsNeeded, missing: NONE }
  if (facts.state === 'paid') return { ...view, state: 'paid', toBalance: micro(inTime - received) }
  if (facts.state !== 'open') {
    const state = facts.state === 'cancelled' ? 'cancelled' : 'expired'
    return { ...view, state, missing: micro(dueOn(facts) - received), toBalance: micro(inTime + late) }
  }
  const onTheWay = now.getTime() > end.getTime() + GRACE_MS ? null : facts.onTheWay
  const missing = dueOn(facts) - received - (onTheWay?.value ?? 0n)
  return {
    ...view,
    isOpen: true,
    state: stateOfOpen(facts, onTheWay, now),
    onTheWay: onTheWay?.value ?? NONE,
    confirmations: Math.min(onTheWay?.confirmations ?? 0, confirmsNeeded),
    missing: micro(missing > 0n ? missing : 0n),
    toBalance: NONE,
  }
}

function stateOfOpen(
  { received, expires_at }: InvoiceFacts,
  onTheWay: OnTheWay | null,
  now: Date,
): InvoiceState {
  if (onTheWay !== null) return 'confirming'
  if (now > expires_at) return 'expired'
  return received > 0n ? 'partly_paid' : 'waiting'
}

/** An investment that was booked. */
export interface Invested {
  readonly memberId: bigint
  /** Names it among the member's investments: by its invoice, or by its request. */
  readonly name: string
  readonly amount: Micro
  /** Business time; it is locked from then on, until its term ends. */
  readonly at: Date
  readonly unlocksAt: Date
  /** Of one that came by chain. */
  readonly fee?: Micro
  readonly surplus?: Micro
  readonly txid?: string
}

/** A transfer that made no investment: it went to the balance, or waits for the rest of one. */
export interface Received {
  readonly memberId: bigint
  readonly txid: string
  readonly position: number
  readonly amount: Micro
  /** When the chain had it. */
  readonly at: Date
  /** Of the investment that it is a part of, and until when the rest may come. */
  readonly missing?: Micro
  readonly until?: Date
  /** The investment that it was probably meant for had ended. */
  readonly late?: boolean
}

/** An invoice whose time ended before all of it had come: what had come is in the balance. */
export interface Expired {
  readonly memberId: bigint
  readonly name: string
  readonly amount: Micro
  readonly toBalance: Micro
  /** When its time ended. */
  readonly at: Date
}
