/** Decimal amounts of USDT and TRX, both with six decimals. */

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
