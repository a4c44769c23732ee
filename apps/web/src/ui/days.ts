import { timeZone } from '../api/timeZone.ts'

const DAY_MS = 86_400_000

/** The day of the calendar on which an instant falls in the reader's time zone, as a text that sorts: `2026-11-20`. */
export function dayOf(at: Date): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: timeZone() }).format(at)
}

/** What a day is called today; null for one that needs its date. */
export function namedDay(at: Date, now: Date) {
  const today = dayOf(now)
  if (dayOf(at) === today) return 'today'
  const yesterday = new Date(Date.parse(`${today}T00:00:00Z`) - DAY_MS).toISOString().slice(0, 10)
  return dayOf(at) === yesterday ? 'yesterday' : null
}

/** Things with a date, in order, a list for each day of theirs. */
export function byDay<Item extends { readonly date: string }>(items: readonly Item[]) {
  const days: { day: string; date: string; items: Item[] }[] = []
  for (const item of items) {
    const day = dayOf(new Date(item.date))
    const last = days.at(-1)
    if (last?.day === day) last.items.push(item)
    else days.push({ day, date: item.date, items: [item] })
  }
  return days
}
