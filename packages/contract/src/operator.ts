import { z } from 'zod'
import { amountInput, amountText, instant } from './common.ts'

/** Pools that company money fills and payouts come from. */
export const POOLS = ['profit', 'commission'] as const
export type PoolName = (typeof POOLS)[number]

/** GET operator/overview/: where every micro-USDT stands. */
export const operatorOverview = z.object({
  custody: amountText,
  principal: amountText,
  balances: amountText,
  held: amountText,
  company_revenue: amountText,
  company_capital: amountText,
  pools: z.array(z.object({ pool: z.enum(POOLS), amount: amountText, awaiting: amountText })),
  members: z.int(),
  chain: z.object({ head: z.int(), solid: z.int(), scanned: z.int() }),
  company_address: z.string(),
})
export type OperatorOverview = z.infer<typeof operatorOverview>

/** A row of GET operator/runs/. */
export const payoutRun = z.object({
  id: z.int(),
  kind: z.enum(['passive', 'direct']),
  period: z.string(),
  /** Whose investment a direct run pays the commissions of. */
  investor: z.string().nullable(),
  state: z.string(),
  items: z.int(),
  posted: z.int(),
  total: amountText,
  missing: amountText,
  plan_version: z.int(),
  input_hash: z.string(),
  created_at: instant,
  finished_at: instant.nullable(),
})
export type PayoutRun = z.infer<typeof payoutRun>

/** Why an observed transfer was not credited, or that it was. */
export const TRANSFER_VERDICTS = ['credit', 'wrong_token', 'zero_value', 'failed', 'wrong_asset'] as const

/** A row of GET operator/transfers/?verdict=…: everything that ever moved toward one of our addresses. */
export const observedTransfer = z.object({
  txid: z.string(),
  position: z.int(),
  block: z.int(),
  date: instant,
  verdict: z.enum(TRANSFER_VERDICTS),
  contract: z.string(),
  from: z.string(),
  to: z.string(),
  /** In the token's smallest units where the token is not ours. */
  value: z.string(),
  member: z.string().nullable(),
  explorer_url: z.string().nullable(),
})
export type ObservedTransfer = z.infer<typeof observedTransfer>

/** POST operator/pools/{pool}/fund/: moves company capital into a pool. */
export const fundPoolBody = z.object({ amount: amountInput })
