import type { PlanVersion } from '@aval/contract'
import { applyRatio, percent, type Ratio, ratio, ratioToPercentText, ZERO } from '@aval/money'
import { microOf } from '../../ui/amount.ts'
import { isAbove, plainPercent, textAt, valueAt } from './planFields.ts'

/** Whether a plan pays no passive profit on a day, whatever is declared for it. */
export function isLeftOut(document: unknown, day: string): boolean {
  return valueAt(document, 'passive.weekdaysOnly') === true && isWeekend(day)
}

/** What a plan pays a day: its percentage over its days, kept exact; null where it does not say. */
export function dailyRateOf(document: unknown): Ratio | null {
  const period = textAt(document, 'passive.percentPerPeriod')
  const days = textAt(document, 'passive.periodDays')
  if (period === null || days === null || !/^[1-9]\d*$/.test(days)) return null
  try {
    const share = percent(period)
    return ratio(share.numerator, share.denominator * BigInt(days))
  } catch {
    return null
  }
}

export const currentOf = (versions: readonly PlanVersion[]): PlanVersion | undefined =>
  versions.find(({ current }) => current) ?? versions[0]

export const zoneOf = (version: PlanVersion | undefined): string =>
  textAt(version?.document, 'timeZone') ?? 'UTC'

/** The first day of a version; null for the one that was there from the beginning. */
export function firstDayOf(version: PlanVersion): string | null {
  return version.starts_at.startsWith('1970-') ? null : dayIn(version.starts_at, zoneOf(version))
}

/** The version in force on a day: of those that have begun by then, the newest. */
export function versionOn(versions: readonly PlanVersion[], day: string): PlanVersion | undefined {
  return [...versions]
    .sort((left, right) => right.version - left.version)
    .find((version) => (firstDayOf(version) ?? '') <= day)
}

/** Days of the plan's calendar, as ISO text. */

/** The day an instant falls on, in a time zone; in UTC where the zone is unknown to this browser. */
export function dayIn(instant: string, timeZone: string): string {
  const date = new Date(instant)
  try {
    // In Swedish a date is written as ISO text.
    return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(date)
  } catch {
    return date.toISOString().slice(0, 10)
  }
}

export function nextDay(day: string): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + 1)
  return date.toISOString().slice(0, 10)
}

export function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay()
  return weekday === 0 || weekday === 6
}

/** Whether the text is a whole day, as a date input gives it; a half-typed one is empty. */
export const isDay = (text: string): boolean =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`))

/** The principal of the estimates: 1,000 USD. */
export const SAMPLE = '1000'

/** As many decimals as a rate may have. */
export const RATE_DIGITS = 6

export type RateReading = ReturnType<typeof readRate>

export function readRate(typed: string, day: string, versions: readonly PlanVersion[]) {
  const percentage = plainPercent(typed)
  const rate = percentage === null ? null : percent(percentage)
  const version = isDay(day) ? versionOn(versions, day) : undefined
  const target = version === undefined ? null : dailyRateOf(version.document)
  const leftOut = version !== undefined && isLeftOut(version.document, day)
  // An estimate: nothing is paid before the run is checked and backed.
  const estimate = (share: Ratio | null) => {
    if (share === null) return null
    return leftOut ? ZERO : applyRatio(microOf(SAMPLE), share)
  }
  return {
    /** Plain decimal percent; null while nothing readable is typed. */
    percentage,
    /** What the plan itself pays on the day; null while it is not known. */
    target,
    isTooHigh: rate !== null && target !== null && isAbove(rate, target),
    /** As it is shown: a third of a percent is the plan's own. */
    isLower:
      rate !== null &&
      target !== null &&
      isAbove(target, rate) &&
      ratioToPercentText(target, RATE_DIGITS) !== ratioToPercentText(rate, RATE_DIGITS),
    /** The plan pays nothing on this day, whatever is declared. */
    isLeftOut: leftOut,
    /** What the sample would get, by what was typed and by the target. */
    estimate: estimate(rate),
    targetEstimate: estimate(target),
  }
}

/**
 * What is declared for a day, as the list shows it: null for nothing, undefined where the page that is shown does not say.
 * @param isNewest whether it is the first page, which leaves out no day from its last one on
 */
export function shownRate(
  declared: readonly { readonly day: string; readonly percentage: string }[],
  isNewest: boolean,
  day: string,
): string | null | undefined {
  const found = declared.find((rate) => rate.day === day)
  if (found !== undefined) return found.percentage
  const last = declared.at(-1)
  return isNewest && (last === undefined || day > last.day) ? null : undefined
}
