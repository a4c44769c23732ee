/** The day of the calendar on which an instant falls in the reader's time zone, as a text that sorts. */
export function dayOf(at: Date): string {
  const part = (value: number) => String(value).padStart(2, '0')
  return `${at.getFullYear()}-${part(at.getMonth() + 1)}-${part(at.getDate())}`
}

/** What a day is called today; null for one that needs its date. */
export function namedDay(at: Date, now: Date) {
  if (dayOf(at) === dayOf(now)) return 'today'
  const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
  return dayOf(at) === dayOf(yesterday) ? 'yesterday' : null
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
