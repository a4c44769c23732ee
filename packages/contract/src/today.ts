/** The console's first page: what waits for somebody, and how the company stands. */
import { z } from 'zod'
import { amountText, instant } from './common.ts'
import { POOLS } from './overview.ts'

/** Waiting things are counted up to a thousand; of more there are `more`, and sums are of what was counted. */
const counted = z.object({ count: z.int(), more: z.boolean(), oldest_at: instant.nullable() })

/** What a pool has, and how long it lasts. */
export const poolCover = z.object({
  pool: z.enum(POOLS),
  amount: amountText,
  /** What held runs that it pays need in all. */
  awaiting: amountText,
  /** The average of the last seven days on which it paid; zero where it never did. */
  rate: amountText,
  /** Whole days that it lasts at that rate; null where nothing was paid yet. */
  days: z.int().nullable(),
  /** The first day that it does not cover. */
  until: z.iso.date().nullable(),
  /** Fewer than seven days, or a run waits. */
  low: z.boolean(),
})
export type PoolCover = z.infer<typeof poolCover>

/** Fewer days of cover than these, and a pool is low. */
export const LOW_POOL_DAYS = 7

export const STOP_CAUSES = ['operator', 'reserves', 'integrity', 'restoration'] as const

/** Why payments are stopped. */
export const paymentsStop = z.object({
  since: instant,
  causes: z.array(z.enum(STOP_CAUSES)),
  /** What an operator stopped, and why. */
  operator: z.object({ id: z.int(), username: z.string(), at: instant, reason: z.string() }).nullable(),
})
export type PaymentsStop = z.infer<typeof paymentsStop>

/** What has to work by itself. */
export const FAILURES = [
  'gateway_silent',
  'gateway_none',
  'chain_behind',
  'chain_unhealthy',
  'node_other_network',
  'node_key_refused',
  'node_limited',
  'out_of_energy',
  'signer_away',
  'signer_cap',
  'hot_trx',
  'hot_usdt',
  'reserves_unchecked',
  'reserves_differ',
  'database_changed',
  'database_unchecked',
] as const
export type FailureName = (typeof FAILURES)[number]

/** Deposits that a person should look at. */
export const REVIEWED_FATES = [
  'unclaimed',
  'wrong_token',
  'wrong_asset',
  'late',
  'no_invoice',
  'overpaid',
] as const
export type ReviewedFate = (typeof REVIEWED_FATES)[number]

/** GET operator/waiting/: what needs somebody now, for the first page and the menu. */
export const operatorWaiting = z.object({
  withdrawals: counted.extend({ sum: amountText }),
  /** Of those undecided and those on their way: what is late, and what is due soon; the late ones first, none without any. */
  deadlines: z.array(
    counted.extend({
      due: z.enum(['late', 'soon']),
      state: z.enum(['requested', 'approved']),
      sum: amountText,
      /** Until the first of them is due, in whole seconds; below zero once it is late. */
      seconds: z.int(),
    }),
  ),
  runs: counted.extend({ missing: amountText }),
  decisions: counted,
  chats: counted,
  /** Nobody has looked at them yet: of the last thirty days those whose money is with us and nobody's, of the last seven the others. */
  deposits: z.array(counted.extend({ fate: z.enum(REVIEWED_FATES) })),
  stop: paymentsStop.nullable(),
  failing: z.array(z.object({ what: z.enum(FAILURES), since: instant.nullable(), detail: z.string() })),
  /** Those that are low; none for who may not see the treasury. */
  pools: z.array(poolCover),
})
export type OperatorWaiting = z.infer<typeof operatorWaiting>

const headcount = z.object({ members: z.int(), investors: z.int() })

/** GET operator/today/: how the company stands. Sums are kept by jobs, each as of a moment. */
export const operatorToday = z.object({
  /** Today, in the company's time zone. */
  day: z.iso.date(),
  as_of: z.object({ days: instant.nullable(), unlocks: instant.nullable(), growth: instant.nullable() }),
  /** The last comparison of the reserves; null before the first. */
  custody: z
    .object({
      checked_at: instant,
      verdict: z.enum(['matched', 'unexplained', 'waiting']),
      hot: amountText,
      cold: amountText,
      deposits: amountText,
      total: amountText,
      principal: amountText,
      balances: amountText,
      held: amountText,
      pending: amountText,
      due: amountText,
      owed: amountText,
      /** Custody of what is owed, in percent with two decimals at most; null when nothing is owed. */
      coverage: z.number().nullable(),
    })
    .nullable(),
  capital: amountText,
  pools: z.array(poolCover),
  /** Principal that can be withdrawn already. */
  unlocked: z.object({ members: z.int(), amount: amountText }),
  /** This week and the eleven after it, by their Mondays; and what comes later. */
  unlocks: z.array(z.object({ week: z.iso.date(), members: z.int(), amount: amountText })),
  unlocks_later: z.object({ members: z.int(), amount: amountText }),
  /** Ninety days, the last one today: what members paid in, and what was paid out to them. */
  flow: z.array(z.object({ day: z.iso.date(), in: amountText, out: amountText })),
  /** What members were paid in the last thirty days, by source. */
  payouts: z.object({
    passive: amountText,
    direct: amountText,
    master: amountText,
    binary: amountText,
    total: amountText,
  }),
  growth: headcount.extend({ days: z.array(headcount.extend({ day: z.iso.date() })) }),
})
export type OperatorToday = z.infer<typeof operatorToday>
