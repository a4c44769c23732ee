import type { PlanVersion } from '@aval/contract'
import { type Micro, percent, type Ratio, ZERO } from '@aval/money'
import { isDay } from './days.ts'
import { isAbove, plainPercent } from './percentage.ts'
import { dailyRateOf, estimateFor, isLeftOut, versionOn } from './planRates.ts'

/** The principal of the estimates: 1,000 USD. */
export const SAMPLE = '1000'

/** As many decimals as a rate may have. */
export const RATE_DIGITS = 6

export interface RateReading {
  /** Plain decimal percent; null while nothing readable is typed. */
  percentage: string | null
  /** What the plan itself pays on the day; null while it is not known. */
  target: Ratio | null
  isTooHigh: boolean
  /** The plan pays nothing on this day, whatever is declared. */
  isLeftOut: boolean
  /** What the sample would get, by what was typed and by the target. */
  estimate: Micro | null
  targetEstimate: Micro | null
}

/** Reads a rate form as it stands. */
export function readRate(typed: string, day: string, versions: readonly PlanVersion[]): RateReading {
  const percentage = plainPercent(typed)
  const rate = percentage === null ? null : percent(percentage)
  const version = isDay(day) ? versionOn(versions, day) : undefined
  const target = version === undefined ? null : dailyRateOf(version.document)
  const leftOut = version !== undefined && isLeftOut(version.document, day)
  const estimate = (share: Ratio | null) =>
    share === null ? null : leftOut ? ZERO : estimateFor(SAMPLE, share)
  return {
    percentage,
    target,
    isTooHigh: rate !== null && target !== null && isAbove(rate, target),
    isLeftOut: leftOut,
    estimate: estimate(rate),
    targetEstimate: estimate(target),
  }
}
