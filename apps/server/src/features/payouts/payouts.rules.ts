/**
 * Payout runs.
 *
 * A *run* pays one kind for one period: a day of passive profit, or the commissions of one investment. It computes its
 * items from closed inputs, seals them (count, sum, hash), takes the whole sum out of its pool (*released*), and posts
 * item by item. A pool that cannot cover the sum leaves the run *held*, with nothing posted.
 */
import { addDays, type Day, dayAt } from '@aval/plan'

export const RUN_KINDS = ['passive', 'direct'] as const
export type RunKind = (typeof RUN_KINDS)[number]
export type RunState = 'computing' | 'sealed' | 'held' | 'released' | 'done'

/** Every transition there is. A held run is released by the same step that releases a sealed one. */
const NEXT: Readonly<Record<RunState, readonly RunState[]>> = {
  computing: ['sealed'],
  sealed: ['held', 'released'],
  held: ['held', 'released'],
  released: ['released', 'done'],
  done: [],
}

export function mayBecome(from: RunState, to: RunState): boolean {
  return NEXT[from].includes(to)
}

/** The pool that pays a kind of run, and where its money waits between release and posting. */
export const FUNDING = {
  passive: { pool: 'pool:profit', due: 'due:profit', release: 'release_profit' },
  direct: { pool: 'pool:commission', due: 'due:commission', release: 'release_commission' },
} as const satisfies Record<RunKind, { pool: string; due: string; release: string }>

/**
 * The days whose passive run is due at `now`, oldest first, at most `limit`.
 *
 * A day earns on the principal of its first instant, so it is due once it has begun. The first day ever is the one after
 * the first investment.
 */
export function dueDays(
  history: { readonly lastDay: Day | null; readonly firstInvestment: Date | null },
  now: Date,
  timeZone: string,
  limit: number,
): Day[] {
  const today = dayAt(now, timeZone)
  const before = history.lastDay ?? (history.firstInvestment && dayAt(history.firstInvestment, timeZone))
  if (before === null) return []
  const days: Day[] = []
  for (let day = addDays(before, 1); day <= today && days.length < limit; day = addDays(day, 1))
    days.push(day)
  return days
}
