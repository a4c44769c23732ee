import { applyRatio, type Micro, micro, percent, type Ratio, ratio } from '@aval/money'
import { type Day, isWeekend } from './calendar.ts'
import type { Plan } from './plan.ts'

/** The share of principal that one day earns: the period's percentage over its days, kept exact. */
export function dailyRate(plan: Plan): Ratio {
  const period = percent(plan.passive.percentPerPeriod)
  return ratio(period.numerator, period.denominator * BigInt(plan.passive.periodDays))
}

/** What one day pays passive profit by. */
export interface DayTerms {
  readonly rate: Ratio
  /** Where the rate comes from: the plan, an operator who declared a lower one, or a weekend that pays nothing. */
  readonly source: 'plan' | 'declared' | 'weekend'
  /** All passive profit ever ends at this multiple of principal; null for never. */
  readonly capMultiple: Ratio | null
}

/** The terms of a day; `declared` is a percentage of principal as decimal text, null where none was declared. */
export function termsOfDay(plan: Plan, day: Day, declared: string | null): DayTerms {
  const { weekdaysOnly, capMultiple } = plan.passive
  // A multiple is written like a percentage, and is a hundred times one.
  const multiple = capMultiple === null ? null : percent(capMultiple)
  const cap = multiple === null ? null : ratio(multiple.numerator * 100n, multiple.denominator)
  if (weekdaysOnly && isWeekend(day)) return { rate: ratio(0n, 1n), source: 'weekend', capMultiple: cap }
  return declared === null
    ? { rate: dailyRate(plan), source: 'plan', capMultiple: cap }
    : { rate: percent(declared), source: 'declared', capMultiple: cap }
}

/** Whether a rate is above what the plan pays: a slipped digit, or a percentage where a share was meant. */
export function exceedsPlan(plan: Plan, rate: Ratio): boolean {
  const target = dailyRate(plan)
  return rate.numerator * target.denominator > target.numerator * rate.denominator
}

/**
 * Passive profit of one day on the principal that stood at its start; truncated, the remainder stays in the pool.
 *
 * `earnedBefore` is the passive profit of all earlier days, net of reversals; it matters only where a cap is on.
 */
export function passiveProfit(terms: DayTerms, principal: Micro, earnedBefore: Micro): Micro {
  const full = applyRatio(principal, terms.rate)
  if (terms.capMultiple === null) return full
  const left = applyRatio(principal, terms.capMultiple) - earnedBefore
  if (left <= 0n) return micro(0n)
  return left < full ? micro(left) : full
}

/** What the cap cut off on the day it was reached; nothing on later days, when nothing was left to cut. */
export function cutByCap(terms: DayTerms, principal: Micro, paid: Micro): Micro {
  return paid === 0n ? micro(0n) : micro(applyRatio(principal, terms.rate) - paid)
}

/** Passive profit of one day under the plan's own rate, without a cap. An estimate wherever the day is to come. */
export function dailyProfit(plan: Plan, principal: Micro): Micro {
  return applyRatio(principal, dailyRate(plan))
}
