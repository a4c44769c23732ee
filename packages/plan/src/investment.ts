import { type Micro, micro } from '@aval/money'
import { feeFor } from './fee.ts'
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
  return feeFor(amount, plan.investment.feePercent)
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

/** An invoice that is not paid, cancelled or past its end. */
export interface OpenInvoice {
  readonly id: bigint
  readonly amount: Micro
  readonly fee: Micro
  /** What came for it so far: less than amount and fee. */
  readonly received: Micro
}

/** What amount and fee come to. */
export const dueOn = ({ amount, fee }: Pick<OpenInvoice, 'amount' | 'fee'>): Micro => micro(amount + fee)

/** What becomes of money that arrived for an open invoice: `part` counts towards it, and both add up to what arrived. */
export interface DepositOutcome {
  readonly outcome: 'part' | 'paid' | 'overpaid'
  readonly part: Micro
  readonly toBalance: Micro
}

/** Parts add up until they come to what the invoice asks for. The surplus goes to the balance, not to the next invoice. */
export function applyDeposit(arrived: Micro, invoice: OpenInvoice): DepositOutcome {
  const missing = dueOn(invoice) - invoice.received
  if (arrived < missing) return { outcome: 'part', part: arrived, toBalance: micro(0n) }
  const toBalance = micro(arrived - missing)
  return { outcome: toBalance > 0n ? 'overpaid' : 'paid', part: micro(missing), toBalance }
}

/**
 * How the balance completes an invoice: what came by chain pays its share of the fee, as it was quoted, and the balance
 * adds the rest of the amount without one. `fee` and `fromPending` add up to what was received.
 */
export function completeFromBalance({ amount, fee, received }: Omit<OpenInvoice, 'id'>): {
  fee: Micro
  fromPending: Micro
  fromBalance: Micro
} {
  const share = micro((received * fee) / (amount + fee))
  const fromPending = micro(received - share)
  return { fee: share, fromPending, fromBalance: micro(amount - fromPending) }
}
