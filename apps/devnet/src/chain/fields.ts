/** What people send in development calls: addresses and decimal amounts. */
import { parseAddress } from '@aval/tron'
import { z } from 'zod'
import { parseUnits } from './amounts.ts'

/** A Tron address in base58. */
export const addressText = z.string().transform((value, context) => {
  const parsed = parseAddress(value)
  if (parsed !== null) return parsed
  context.addIssue({ code: 'custom', message: 'is no Tron address' })
  return z.NEVER
})

/** A decimal amount, in millionths. */
export const amountText = z.string().transform((value, context) => {
  const parsed = parseUnits(value)
  if (parsed !== null) return parsed
  context.addIssue({ code: 'custom', message: 'is no amount: a decimal string with at most 6 decimals' })
  return z.NEVER
})

/** A decimal amount above zero, in millionths. */
export const positiveAmountText = z.string().transform((value, context) => {
  const parsed = parseUnits(value)
  if (parsed !== null && parsed > 0n) return parsed
  context.addIssue({
    code: 'custom',
    message: 'is no amount: a decimal string above 0 with at most 6 decimals',
  })
  return z.NEVER
})

/** An identifier of a transaction: 64 lower-case hex characters. */
export const txidText = z.string().regex(/^[0-9a-f]{64}$/, 'is no transaction: 64 hex characters')
