import type { PlanVersion } from '@aval/contract'
import { applyRatio, type Micro, parseMicro, percent, type Ratio, ratio } from '@aval/money'
import { dayIn, isWeekend } from './days.ts'
import { textAt, valueAt } from './planFields.ts'

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

/** What a principal would get on a day. An estimate: nothing is paid before the run is checked and backed. */
export function estimateFor(principal: string, rate: Ratio): Micro | null {
  const amount = parseMicro(principal)
  return amount === null ? null : applyRatio(amount, rate)
}
