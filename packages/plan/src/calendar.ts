import { Temporal } from 'temporal-polyfill'

declare const brand: unique symbol
/** A calendar day in the plan's time zone, `"2026-11-20"`. */
export type Day = string & { readonly [brand]: 'day' }

export function isDay(text: string): text is Day {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}

/** The day an instant falls on. */
export function dayAt(instant: Date, timeZone: string): Day {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant.getTime()).toZonedDateTimeISO(timeZone)
  return zoned.toPlainDate().toString() as Day
}

/** The first instant of a day; where a clock change skips midnight, the first instant there is. */
export function dayStart(day: Day, timeZone: string): Date {
  return new Date(Temporal.PlainDate.from(day).toZonedDateTime(timeZone).epochMilliseconds)
}

/** The time zone by which the company's days turn from an instant on; the plans say so, one after the other. */
export interface ZoneFrom {
  readonly from: Date
  readonly timeZone: string
}

/**
 * The first instant of a company's day: the first at which the calendar of the zone then in force says that day, or a later
 * one. A move to the east makes a day shorter, one to the west longer; of days that a move across the date line skips, each
 * begins with the move. It depends on the day alone: asked later, the answer is the same.
 *
 * @param zones oldest first; the first is in force since ever
 */
export function companyDayStart(day: Day, zones: readonly ZoneFrom[]): Date {
  for (const [index, { from, timeZone }] of zones.entries()) {
    const own = dayStart(day, timeZone)
    const begins = index > 0 && own < from ? from : own
    const next = zones[index + 1]
    if (next === undefined || begins < next.from) return begins
  }
  throw new Error('no plan says in which time zone days turn')
}

/** The company's day at an instant: the last that has begun. */
export function companyDayAt(instant: Date, zones: readonly ZoneFrom[]): Day {
  const now = zones.findLast(({ from }) => from <= instant) ?? zones[0]
  if (now === undefined) throw new Error('no plan says in which time zone days turn')
  let day = dayAt(instant, now.timeZone)
  while (companyDayStart(addDays(day, 1), zones) <= instant) day = addDays(day, 1)
  return day
}

/** In UTC every day has as many milliseconds. Days alone need no time zone, and are counted often. */
const DAY_MS = 86_400_000
const LENGTH = 'YYYY-MM-DD'.length

export function addDays(day: Day, days: number): Day {
  return new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, LENGTH) as Day
}

/** Whole days from `from` to `to`, negative when `to` is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(to) - Date.parse(from)) / DAY_MS
}

/** Saturday or Sunday. */
export function isWeekend(day: Day): boolean {
  return new Date(day).getUTCDay() % 6 === 0
}
