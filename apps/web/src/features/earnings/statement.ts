/** Days as the calendar writes them, "2026-11-20", both inclusive. */
export interface DayRange {
  from: string
  to: string
}

const two = (number: number) => String(number).padStart(2, '0')

/** From the first of January until today, by the member's own calendar. */
export function thisYear(now: Date): DayRange {
  const year = now.getFullYear()
  return { from: `${year}-01-01`, to: `${year}-${two(now.getMonth() + 1)}-${two(now.getDate())}` }
}

type RangeRule = 'required' | 'order'

/** The rule a day breaks within its range, or null. An empty day is one the browser could not read, too. */
export function brokenDayRule(which: keyof DayRange, { from, to }: DayRange): RangeRule | null {
  if ((which === 'from' ? from : to) === '') return 'required'
  // Days of one length compare as text.
  return which === 'to' && from !== '' && from > to ? 'order' : null
}

export function statementName({ from, to }: DayRange): string {
  return `aval-${from}-${to}.csv`
}
