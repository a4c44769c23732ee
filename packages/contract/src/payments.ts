import { z } from 'zod'
import { amountText, instant } from './common.ts'

/** Why a payment is what it is: a sentence, and the figures it was computed from. */
export const explanation = z.object({
  sentence: z.string(),
  plan_version: z.int(),
  basis: amountText,
  percentage: z.string(),
  arithmetic: z.string(),
})

/** A row of GET payments/direct-payments/. */
export const directPayment = z.object({
  id: z.int(),
  date: instant,
  user_username: z.string(),
  user_email: z.string(),
  investment_amount: amountText,
  level: z.int(),
  amount: amountText,
  /** `paid`, or `awaiting_funding` while the run is held. */
  state: z.enum(['paid', 'awaiting_funding']),
  why: explanation,
})
export type DirectPayment = z.infer<typeof directPayment>

/** A row of GET payments/pasive-payments/. */
export const passivePayment = z.object({
  id: z.int(),
  date: instant,
  current_investment_amount: amountText,
  amount: amountText,
  state: z.enum(['paid', 'awaiting_funding']),
  why: explanation,
})
export type PassivePayment = z.infer<typeof passivePayment>
