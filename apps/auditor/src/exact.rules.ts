/** Exact arithmetic: amounts are whole micro-USDT, percentages and multiples whole millionths. Every division truncates. */

const MILLION = 1_000_000n
const HUNDRED = 100n * MILLION

/** "2.5" becomes 2_500_000n. */
export function millionths(decimal: string): bigint {
  const [whole = '', fraction = ''] = decimal.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

/** 2_500_000n becomes "2.5", -1n "-0.000001". */
export function asDecimal(value: bigint): string {
  const digits = (value < 0n ? -value : value).toString().padStart(7, '0')
  const fraction = digits.slice(-6).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${digits.slice(0, -6)}${fraction === '' ? '' : `.${fraction}`}`
}

/** @param percent in millionths; divided by `parts`, in the one division that there is */
export const percentOf = (amount: bigint, percent: bigint, parts = 1n): bigint =>
  (amount * percent) / (HUNDRED * parts)

export const timesOf = (amount: bigint, multiple: bigint): bigint => (amount * multiple) / MILLION

export const least = (first: bigint, second: bigint): bigint => (first < second ? first : second)
