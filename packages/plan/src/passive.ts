import { applyRatio, type Micro, percent, type Ratio, ratio } from '@aval/money'
import type { Plan } from './plan.ts'

/** The share of principal that one day earns: the period's percentage over its days, kept exact. */
export function dailyRate(plan: Plan): Ratio {
  const period = percent(plan.passive.percentPerPeriod)
  return ratio(period.numerator, period.denominator * BigInt(plan.passive.periodDays))
}

/** Passive profit of one day on the principal that stood at its start; truncated, the remainder stays in the pool. */
export function dailyProfit(plan: Plan, principal: Micro): Micro {
  return applyRatio(principal, dailyRate(plan))
}
