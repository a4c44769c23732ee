/** What people send in development calls: addresses, and decimal amounts of USDT and TRX, both with six decimals. */
import { parseAddress } from '@aval/tron'
import { z } from 'zod'

const UNIT = 1_000_000n
const LARGEST = 10n ** 18n

/**
 * Reads a decimal text such as "1005.00" into millionths; null when it is anything else, negative, or above
 * a million million.
 */
export function parseUnits(text: string): bigint | null {
  const match = /^(\d{1,13})(?:\.(\d{1,6}))?$/.exec(text)
  if (match === null) return null
  const units = BigInt(match[1] ?? 0) * UNIT + BigInt((match[2] ?? '').padEnd(6, '0'))
  return units > LARGEST ? null : units
}

/** Millionths as a decimal text with two to six decimals and thousands in groups: "1,005.00". */
export function formatUnits(units: bigint): string {
  const whole = (units / UNIT).toString().replace(/\B(?=(\d{3})+$)/g, ',')
  const fraction = (units % UNIT)
    .toString()
    .padStart(6, '0')
    .replace(/0{1,4}$/, '')
  return `${whole}.${fraction}`
}

/** The same without groups: what an input field takes. */
export function plainUnits(units: bigint): string {
  return formatUnits(units).replaceAll(',', '')
}

/** A text as `read` reads it, which is null for one that is none. */
const textOf = <Value>(read: (text: string) => Value | null, otherwise: string) =>
  z.string().transform((text, context) => {
    const value = read(text)
    if (value !== null) return value
    context.addIssue({ code: 'custom', message: otherwise })
    return z.NEVER
  })

/** A Tron address in base58. */
export const addressText = textOf(parseAddress, 'is no Tron address')

/** A decimal amount, in millionths. */
export const amountText = textOf(parseUnits, 'is no amount: a decimal string with at most 6 decimals')

/** A decimal amount above zero, in millionths. */
export const positiveAmountText = textOf(
  (text) => parseUnits(text) || null,
  'is no amount: a decimal string above 0 with at most 6 decimals',
)

/** An identifier of a transaction: 64 lower-case hex characters. */
export const txidText = z.string().regex(/^[0-9a-f]{64}$/, 'is no transaction: 64 hex characters')
