import { formatAmount, parseMicro } from '@aval/money'

/** As in the contract, whose values the browser does not load: fewer days, and a pool is low. */
export const LOW_POOL_DAYS = 7

/** How far the charts look back. */
export const PERIODS = [30, 90] as const
export type Period = (typeof PERIODS)[number]

export const periodOf = (text: string | null): Period => PERIODS.find((days) => String(days) === text) ?? 30

/** Amounts of a period in sum. */
export const sumOf = (amounts: readonly string[]): string =>
  formatAmount(amounts.reduce((sum, amount) => sum + (parseMicro(amount) ?? 0n), 0n))

/** Seven days each, from the last one backwards, so that the last is whole; oldest first. */
export function byWeek<Row>(days: readonly Row[]): Row[][] {
  const weeks: Row[][] = []
  for (let end = days.length; end > 0; end -= 7) weeks.unshift(days.slice(Math.max(0, end - 7), end))
  return weeks
}
