declare const brand: unique symbol

/** An amount in whole micro-USDT (6 decimals). May be negative where a difference is meant. */
export type Micro = bigint & { readonly [brand]: 'micro' }

const DECIMALS = 6
const SCALE = 1_000_000n

/** Largest amount we accept anywhere: what PostgreSQL's bigint holds, with room to add thousands of them. */
const LIMIT = 10n ** 15n

/** Brands a bigint that is already in micro-USDT. */
export function micro(value: bigint): Micro {
  return value as Micro
}

export const ZERO = micro(0n)
/** One USDT. */
export const ONE = micro(SCALE)

const PLAIN_DECIMAL = /^(0|[1-9]\d{0,11})(?:\.(\d{1,6}))?$/

/**
 * Reads a plain decimal such as `1000`, `"50.00"` or `"0.000001"`.
 *
 * Refused, never rounded: more than six decimals, exponents, signs, separators, spaces, NaN, numbers that a double
 * cannot hold to the micro. Returns null for what is refused. Zero is accepted; callers that want more than zero check.
 */
export function parseMicro(input: unknown): Micro | null {
  const text = typeof input === 'number' ? String(input) : input
  if (typeof text !== 'string') return null
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) return null
  const whole = BigInt(match[1] ?? '0')
  const fraction = BigInt((match[2] ?? '').padEnd(DECIMALS, '0'))
  const value = whole * SCALE + fraction
  return value > LIMIT ? null : micro(value)
}

/** Writes an amount as a decimal string with 2 to 6 decimals: `"50.00"`, `"3.333333"`, `"-0.50"`. */
export function formatMicro(value: Micro): string {
  const sign = value < 0n ? '-' : ''
  const absolute = value < 0n ? -value : value
  const fraction = (absolute % SCALE)
    .toString()
    .padStart(DECIMALS, '0')
    .replace(/0{1,4}$/, '')
  return `${sign}${absolute / SCALE}.${fraction}`
}

/** `formatMicro` for micro-USDT that carry no brand, as a row of the database holds them. */
export const formatAmount = (amount: bigint): string => formatMicro(micro(amount))

/** A JSON number for the two calls that carry numbers; exact for any amount below 9 billion USDT. */
export function microToJsonNumber(value: Micro): number {
  return Number(value) / 1_000_000
}
