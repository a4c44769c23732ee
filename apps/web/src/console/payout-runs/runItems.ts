import type { PayoutRun, RunItemView } from '@aval/contract'
import { formatMicro, micro, parseMicro } from '@aval/money'
import type { Formats } from '../../ui/format.ts'

const VIEWS: readonly RunItemView[] = ['items', 'largest', 'changes', 'fresh', 'gone', 'missed']
const OF_BATCHES: readonly RunItemView[] = ['items', 'largest', 'missed']

/** How a run's items can be read. Two batches of investments have nothing in common, so that none is compared with another. */
export const viewsOf = ({ kind }: Pick<PayoutRun, 'kind'>): readonly RunItemView[] =>
  kind === 'direct' ? OF_BATCHES : VIEWS

/** The one that the address names, where the run has it. */
export const viewOf = (run: Pick<PayoutRun, 'kind'>, named: string | null): RunItemView =>
  viewsOf(run).find((view) => view === named) ?? 'items'

/** "+3,00": how much more than before; empty where it is the same, or where one of them is no amount. */
export function differenceOf(amount: string, before: string, formats: Pick<Formats, 'exact'>): string {
  const [now, then] = [parseMicro(amount), parseMicro(before)]
  if (now === null || then === null || now === then) return ''
  return now > then
    ? `+${formats.exact(formatMicro(micro(now - then)))}`
    : `−${formats.exact(formatMicro(micro(then - now)))}`
}

/** Days of a month as weeks from Monday on; null for places before the first day. */
export function weeksOf<Day extends { readonly day: string }>(days: readonly Day[]): (Day | null)[][] {
  const [first] = days
  if (first === undefined) return []
  const lead = (new Date(first.day).getUTCDay() + 6) % 7
  const places: (Day | null)[] = [...Array.from({ length: lead }, () => null), ...days]
  const weeks: (Day | null)[][] = []
  for (let at = 0; at < places.length; at += 7) weeks.push(places.slice(at, at + 7))
  return weeks
}

/** The month before or after one, "2026-05". */
export function monthBeside(month: string, by: -1 | 1): string {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + by, 1)).toISOString().slice(0, 7)
}

const STEPS: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** The place a key leads to among so many; null where it leads nowhere. */
export function placeByKey(key: string, at: number, count: number): number | null {
  if (key === 'Home') return 0
  if (key === 'End') return count - 1
  const step = STEPS[key]
  if (step === undefined) return null
  const next = at + step
  return next < 0 || next >= count ? null : next
}
