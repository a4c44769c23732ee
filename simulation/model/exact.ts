/** Exact arithmetic on amounts and decimal text, and calendar days: nothing here ever rounds but by truncation. */

const MILLION = 1_000_000n

/** '2.5' becomes 2_500_000n. */
export function millionths(text: string): bigint {
  if (!/^\d+(\.\d{1,6})?$/.test(text)) throw new Error(`"${text}" is not a decimal with up to six places`)
  const [whole = '', decimals = ''] = text.split('.')
  return BigInt(whole) * MILLION + BigInt(decimals.padEnd(6, '0'))
}

/** 2_500_000n becomes '2.5'. */
export function asDecimal(inMillionths: bigint): string {
  const decimals = (inMillionths % 1_000_000n).toString().padStart(6, '0').replace(/0+$/, '')
  const whole = (inMillionths / 1_000_000n).toString()
  return decimals ? `${whole}.${decimals}` : whole
}

/** The percentages are added before the one truncation, so that 5 % and 0.5 % are 5.5 %. */
export function percentOf(amount: bigint, ...percents: readonly string[]): bigint {
  const together = percents.reduce((sum, percent) => sum + millionths(percent), 0n)
  return (amount * together) / (100n * MILLION)
}

export function timesOf(amount: bigint, multiple: string): bigint {
  return (amount * millionths(multiple)) / MILLION
}

export function smallest(first: bigint, ...others: readonly bigint[]): bigint {
  let least = first
  for (const other of others) {
    if (other < least) least = other
  }
  return least
}

export function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}

export function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

export function dayAfter(day: string): string {
  const next = new Date(`${day}T00:00:00Z`)
  next.setUTCDate(next.getUTCDate() + 1)
  return next.toISOString().slice(0, 10)
}

export function isWeekend(day: string): boolean {
  return [0, 6].includes(new Date(`${day}T00:00:00Z`).getUTCDay())
}
