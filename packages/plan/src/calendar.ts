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
