import { type Micro, micro, microToJsonNumber } from '@aval/money'
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

/** When the term of an investment made at `at` ends. */
export function endOfTerm(plan: Plan, at: Date): Date {
  return new Date(at.getTime() + plan.investment.lockDays * DAY_MS)
}

/** What is left of one investment. Its term is its own: no later investment and no later plan moves it. */
export interface InvestedPart {
  /** Zero where all of it was withdrawn. */
  readonly amount: Micro
  readonly investedAt: Date
  readonly unlocksAt: Date
}

const hasEnded = ({ unlocksAt }: InvestedPart, now: Date) => now.getTime() >= unlocksAt.getTime()

const sumOf = (parts: readonly InvestedPart[]): Micro =>
  micro(parts.reduce((sum, { amount }) => sum + amount, 0n))

/** Whole days of a part's term, and how many of them are over. */
function daysOf({ investedAt, unlocksAt }: InvestedPart, now: Date): { elapsed: number; term: number } {
  const days = (until: Date) => (until.getTime() - investedAt.getTime()) / DAY_MS
  const term = Math.max(1, Math.ceil(days(unlocksAt)))
  const elapsed = hasEnded({ investedAt, unlocksAt, amount: micro(0n) }, now) ? term : Math.floor(days(now))
  return { elapsed: Math.max(0, elapsed), term }
}

/** How a member's principal is locked. */
export interface Lock {
  /** Those whose term runs, in the order in which they unlock. */
  readonly locked: readonly InvestedPart[]
  readonly lockedAmount: Micro
  /** Principal that can be withdrawn. */
  readonly unlocked: Micro
  /** When the next part unlocks; when none is locked, when the last one did; null where nothing is invested. */
  readonly unlocksAt: Date | null
  /** Of the part that `unlocksAt` is about; zeros where nothing is invested. */
  readonly elapsedDays: number
  readonly termDays: number
  /** What is invested, each part by the share of its term that is over: of a year's 1,000 after 73 days 200. */
  readonly elapsedAmount: Micro
  /** That share of all together, in percent with two decimals at most, 0 to 100. */
  readonly progress: number
}

/** @param parts in the order in which they unlock */
export function lockOf(parts: readonly InvestedPart[], now: Date): Lock {
  const invested = parts.filter(({ amount }) => amount > 0n)
  const locked = invested.filter((part) => !hasEnded(part, now))
  const next = locked[0] ?? invested.at(-1)
  const days = next === undefined ? { elapsed: 0, term: 0 } : daysOf(next, now)
  // Ten thousandths of micro-USDT: a share of two decimals is exact where all terms are of the same days.
  const elapsed = invested.reduce((sum, part) => {
    const { elapsed, term } = daysOf(part, now)
    return sum + (part.amount * BigInt(elapsed) * 10_000n) / BigInt(term)
  }, 0n)
  const [all, lockedAmount] = [sumOf(invested), sumOf(locked)]
  return {
    locked,
    lockedAmount,
    unlocked: micro(all - lockedAmount),
    unlocksAt: next?.unlocksAt ?? null,
    elapsedDays: days.elapsed,
    termDays: days.term,
    elapsedAmount: micro(elapsed / 10_000n),
    progress: all === 0n ? 0 : microToJsonNumber(micro((elapsed / all) * 10_000n)),
  }
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
