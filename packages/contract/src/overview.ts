import { z } from 'zod'
import { amountInput, amountText, otpField } from './common.ts'

/** Pools that company money fills and payouts come from. */
export const POOLS = ['profit', 'commission'] as const
export type PoolName = (typeof POOLS)[number]

/** GET operator/overview/: where every micro-USDT stands. */
export const operatorOverview = z.object({
  /** By the books; what the chain says is compared with it elsewhere. */
  custody: amountText,
  /** The same by wallet. */
  wallets: z.object({ deposits: amountText, hot: amountText, cold: amountText }),
  principal: amountText,
  balances: amountText,
  held: amountText,
  pending: amountText,
  /** What members owe after reversals; not backed by anything, so not part of the equation. */
  receivables: amountText,
  company_revenue: amountText,
  company_capital: amountText,
  pools: z.array(z.object({ pool: z.enum(POOLS), amount: amountText, awaiting: amountText })),
  members: z.int(),
  chain: z.object({ head: z.int(), solid: z.int(), scanned: z.int() }),
  company_address: z.string(),
})
export type OperatorOverview = z.infer<typeof operatorOverview>

/** POST operator/pools/{pool}/fund/: moves company capital into a pool. `was`: what it held as the operator saw it; refused where it holds another amount by now. */
export const fundPoolBody = z.object({
  amount: amountInput,
  was: amountText.optional(),
  reason: z.string().trim().max(200).default(''),
  otp: otpField,
})
