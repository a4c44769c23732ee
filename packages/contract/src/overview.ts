import { z } from 'zod'
import { amountInput, amountText, otpField } from './common.ts'

/** Pools that company money fills and payouts come from. */
export const POOLS = ['profit', 'commission'] as const
export type PoolName = (typeof POOLS)[number]

/** POST operator/pools/{pool}/fund/: moves company capital into a pool. `was`: what it held as the operator saw it; refused where it holds another amount by now. */
export const fundPoolBody = z.object({
  amount: amountInput,
  was: amountText.optional(),
  reason: z.string().trim().max(200).default(''),
  otp: otpField,
})
