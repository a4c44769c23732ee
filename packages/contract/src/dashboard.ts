import { z } from 'zod'
import { amountText, instant } from './common.ts'
import { lockedPrincipal } from './investments.ts'

/** One line of "what happened lately". */
export const recentEvent = z.object({
  /** `reversed`: an investment went back to the balance; `reversal`: what one had paid was taken back. */
  kind: z.enum([
    'passive',
    'direct',
    'master',
    'binary',
    'investment',
    'deposit',
    'reversed',
    'reversal',
    'withdrawal',
  ]),
  date: instant,
  amount: amountText,
  /** Username of the referral behind a direct payment. */
  from: z.string().nullable(),
})

/** What a member has, by where it stands; the parts add up to the total. */
const holdings = z.object({
  total: amountText,
  /** What can be withdrawn: the balance without what the member owes, and principal whose term is over. */
  available: amountText,
  /** Principal whose term runs. */
  invested: amountText,
  /** Set aside for withdrawals on their way. */
  held: amountText,
  /** Arrived for pending investments. */
  pending: amountText,
})

/** GET core/dashboard/ */
export const dashboard = z.object({
  investment_amount: z.number(),
  total_profit: z.number(),
  /** What `daily_payment_day` would pay on what is invested now, by its plan, the rate declared for it, and the plan's cap: an estimate. */
  daily_payment: z.number(),
  /** The next day that the plan pays profit on, "2026-11-24"; null when nothing is invested. */
  daily_payment_day: z.string().nullable(),
  /** What that day pays, as percent of principal. */
  daily_percentage: z.number(),
  days_profit: z.int(),
  /** When the next part of the investment unlocks, or the last one did; null when nothing is invested. */
  withdrawable_date: instant.nullable(),
  /** How much of the terms is over, each investment weighted by what it has. */
  investment_progress: z.number().min(0).max(100),
  direct_users: z.int(),
  indirect_users: z.int(),
  chart_data: z.object({ labels: z.array(z.string()), series: z.array(z.number()) }),
  profit_by_kind: z.object({ passive: z.number(), direct: z.number(), binary: z.number() }),
  holdings,
  /** Payments that wait for money in their pool alone, and those whose run an operator has to look at: in no other sum. */
  awaiting_funding: z.number(),
  in_review: z.number(),
  /** How many GET plans/invoices/ may have something to say about. */
  pending_investments: z.int(),
  /** Of the part that `withdrawable_date` is about. */
  term_days: z.int(),
  elapsed_days: z.int(),
  locked: lockedPrincipal,
  recent: z.array(recentEvent),
  /** Why an operator froze the account; null where it is free. */
  frozen: z.string().nullable(),
})
export type Dashboard = z.infer<typeof dashboard>
