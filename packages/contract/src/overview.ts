import { z } from 'zod'
import { amountInput, otpField } from './common.ts'

/** Pools that company money fills and payouts come from. */
export const POOLS = ['profit', 'commission'] as const
export type PoolName = (typeof POOLS)[number]

/** POST operator/pools/{pool}/fund/: moves company capital into a pool. */
export const fundPoolBody = z.object({
  amount: amountInput,
  reason: z.string().trim().max(200).default(''),
  otp: otpField,
})
