import type { BinaryStanding, MonthEarnings } from '@aval/contract'
import { formatMicro, micro, microToJsonNumber } from '@aval/money'
import { isSome, microOf } from '../../ui/amount.ts'

/** Nobody was paid before. */
export const FIRST_YEAR = 2020

/** The year in a URL: one from the first to the current, anything else is the current. */
export function yearFrom(text: string | null, current: number): number {
  if (text === null || !/^\d{4}$/.test(text)) return current
  const year = Number(text)
  return year >= FIRST_YEAR && year <= current ? year : current
}

/** The parts of a month, in the order in which they stand on one another. */
export const PARTS = ['passive', 'direct', 'binary'] as const
export type Part = (typeof PARTS)[number]

type Sums = Record<Part | 'amount', string>

/** What the months come to, to the micro. */
export function sumsOf(months: readonly MonthEarnings[]): Sums {
  const sum = (key: keyof Sums) =>
    formatMicro(micro(months.reduce((total, month) => total + microOf(month[key]), 0n)))
  return { amount: sum('amount'), passive: sum('passive'), direct: sum('direct'), binary: sum('binary') }
}

/** Parts of a month as heights are drawn from: pixels need no micro-USDT. */
export function drawnParts(month: MonthEarnings): number[] {
  return PARTS.map((part) => Math.max(0, microToJsonNumber(microOf(month[part]))))
}

/** A leg's points in percent of the stronger leg's. A reversal may leave a leg below nothing, which draws as nothing. */
export function shareOfStronger(points: string, other: string): number {
  const own = microOf(points)
  const rest = microOf(other)
  if (own <= 0n) return 0
  return own >= rest ? 100 : Number((own * 1000n) / rest) / 10
}

/** Whether there is anything binary to show: a day was matched, or points wait on a leg. */
export function hasBinary(summary: BinaryStanding): boolean {
  return summary.as_of !== null || isSome(summary.left_points) || isSome(summary.right_points)
}
