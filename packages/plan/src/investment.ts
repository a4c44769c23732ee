import { applyRatio, type Micro, micro, percent } from '@aval/money'
import type { Plan } from './plan.ts'

const DAY_MS = 86_400_000

/** Why an investment of this amount cannot be made, or null when it can. */
export function investmentRefusal(
  plan: Plan,
  amount: Micro,
  principal: Micro,
): { code: 'first_investment_too_small' | 'top_up_too_small' | 'amount_too_large'; limit: Micro } | null {
  const { firstMinimum, topUpMinimum, largest } = plan.investment
  if (principal === 0n && amount < firstMinimum)
    return { code: 'first_investment_too_small', limit: firstMinimum }
  if (amount < topUpMinimum) return { code: 'top_up_too_small', limit: topUpMinimum }
  if (principal + amount > largest) return { code: 'amount_too_large', limit: largest }
  return null
}

/** The company's fee on top of an on-chain investment. */
export function feeOn(plan: Plan, amount: Micro): Micro {
  return applyRatio(amount, percent(plan.investment.feePercent))
}

/** Principal is locked from its latest investment on, for the days of the plan that it was made under. */
export interface Term {
  readonly from: Date
  readonly days: number
}

/** When principal can be withdrawn. */
export function lockedUntil({ from, days }: Term): Date {
  return new Date(from.getTime() + days * DAY_MS)
}

/** The elapsed part of the term, in percent with two decimals at most, 0 to 100. */
export function termProgress({ from, days }: Term, now: Date): { percent: number; elapsedDays: number } {
  const elapsed = Math.max(0, Math.floor((now.getTime() - from.getTime()) / DAY_MS))
  const elapsedDays = Math.min(elapsed, days)
  return { percent: Math.floor((elapsedDays * 10_000) / days) / 100, elapsedDays }
}

export interface OpenInvoice {
  readonly id: bigint
  readonly amount: Micro
  readonly fee: Micro
  readonly expiresAt: Date
}

/** What becomes of money that arrived: the parts always add up to what arrived. */
export type DepositOutcome =
  | { readonly outcome: 'paid' | 'overpaid'; readonly invoice: OpenInvoice; readonly toBalance: Micro }
  | { readonly outcome: 'short' | 'late'; readonly invoice: OpenInvoice; readonly toBalance: Micro }
  | { readonly outcome: 'no_invoice'; readonly invoice: null; readonly toBalance: Micro }

/**
 * Decides what arrived money pays. `invoices` are the unpaid ones, oldest first, lapsed ones included.
 *
 * It pays the oldest open invoice it covers, and what is over goes to the balance. Money that covers none goes to the
 * balance whole: short of the oldest open one, too late for one that lapsed, or without any.
 */
export function applyDeposit(
  received: Micro,
  arrivedAt: Date,
  invoices: readonly OpenInvoice[],
): DepositOutcome {
  const open = invoices.filter((invoice) => arrivedAt.getTime() <= invoice.expiresAt.getTime())
  const due = (invoice: OpenInvoice): bigint => invoice.amount + invoice.fee
  const covered = open.find((invoice) => due(invoice) <= received)
  if (covered !== undefined) {
    const over = micro(received - due(covered))
    return { outcome: over > 0n ? 'overpaid' : 'paid', invoice: covered, toBalance: over }
  }
  const late = invoices.find((invoice) => !open.includes(invoice) && due(invoice) <= received)
  if (late !== undefined) return { outcome: 'late', invoice: late, toBalance: received }
  const oldest = open[0]
  if (oldest !== undefined) return { outcome: 'short', invoice: oldest, toBalance: received }
  return { outcome: 'no_invoice', invoice: null, toBalance: received }
}
