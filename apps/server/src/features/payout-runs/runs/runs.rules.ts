/**
 * Payout runs.
 *
 * A *run* pays one kind for one *period*: a day of passive profit, a day of binary, or the commissions of a batch of
 * investments. It computes its items from closed inputs and *seals* them (count, sum, hash). The *checks* then either
 * *release* it, which takes the whole sum out of its pool, or *hold* it with nothing posted, until the pool is funded or an
 * operator decides. Released, it posts its items batch by batch. A *cancelled* run is discarded before its release, and the
 * same period is computed again by another.
 */
import type { NotPaid } from '@aval/contract'
import type { Micro } from '@aval/money'
import { addDays, companyDayAt, companyDayStart, type Day, type ZoneFrom } from '@aval/plan'

export const RUN_KINDS = ['passive', 'direct', 'binary'] as const
export type RunKind = (typeof RUN_KINDS)[number]
export type RunState = 'computing' | 'sealed' | 'held' | 'released' | 'posting' | 'done' | 'cancelled'

/** Every transition there is. A held run is released by the same step that releases a sealed one. */
const NEXT: Readonly<Record<RunState, readonly RunState[]>> = {
  computing: ['computing', 'sealed'],
  sealed: ['held', 'released', 'cancelled'],
  held: ['held', 'released', 'cancelled'],
  released: ['posting', 'done'],
  posting: ['posting', 'done'],
  done: [],
  cancelled: [],
}

/** A run that is neither paid nor discarded. */
export const UNFINISHED: readonly RunState[] = ['computing', 'sealed', 'held', 'released', 'posting']

export function mayBecome(from: RunState, to: RunState): boolean {
  return NEXT[from].includes(to)
}

/** The pool that pays a kind of run, and where its money waits between release and posting. */
export const FUNDING = {
  passive: { pool: 'pool:profit', due: 'due:profit', release: 'release_profit' },
  direct: { pool: 'pool:commission', due: 'due:commission', release: 'release_commission' },
  binary: { pool: 'pool:commission', due: 'due:commission', release: 'release_commission' },
} as const satisfies Record<RunKind, { pool: string; due: string; release: string }>

/** A midnight that has passed: passive profit of the day it begins, and the match of the day it ends. */
export interface Midnight {
  readonly day: Day
  readonly matched: Day
  /** Its instant. */
  readonly cutoffAt: Date
}

/**
 * The midnights whose runs are due at `now`, oldest first, at most `limit`.
 *
 * A day earns on the principal of its first instant, so it is due once it has begun. The first midnight ever is the one
 * after the first investment. Each is its day's own, by the zone that was in force for it: an absence moves none.
 */
export function dueMidnights(
  history: { readonly lastDay: Day | null; readonly firstInvestment: Date | null },
  now: Date,
  zones: readonly ZoneFrom[],
  limit: number,
): Midnight[] {
  const today = companyDayAt(now, zones)
  const before = history.lastDay ?? (history.firstInvestment && companyDayAt(history.firstInvestment, zones))
  if (before === null) return []
  const due: Midnight[] = []
  for (let day = addDays(before, 1); day <= today && due.length < limit; day = addDays(day, 1))
    due.push({ day, matched: addDays(day, -1), cutoffAt: companyDayStart(day, zones) })
  return due
}

/** Heavy statements at a time: two keep two cores busy. More was no faster. */
export const MOST_CONCURRENT = 2

/** Items of passive runs are kept by blocks of this many member ids. */
export const BLOCK = 1024

/** Objections that no operator has overruled hold a run whatever its pool has. */
export const isObjected = (run: {
  readonly objections: unknown
  readonly overruled_by: bigint | null
}): boolean => Array.isArray(run.objections) && run.objections.length > 0 && run.overruled_by === null

/** A commission as it is sealed. `leg` numbers a member's items within the run. */
export interface Item {
  readonly memberId: bigint
  readonly leg: number
  readonly kind: 'direct' | 'master' | 'binary'
  readonly amount: Micro
  /** What the percentage was taken of: the amount invested, or the points matched. */
  readonly basis: Micro
  readonly percentage: string
  readonly level: number | null
  readonly investmentId: bigint | null
  readonly fromMemberId: bigint | null
  readonly leftPoints: bigint | null
  readonly rightPoints: bigint | null
  readonly flushed: Micro
}

/** What was not paid. `leg` numbers a member's rows within the run. */
export interface Missed {
  readonly memberId: bigint
  readonly leg: number
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly reason: Exclude<NotPaid['reason'], 'pro_rata'>
  readonly amount: Micro
  readonly level: number | null
  readonly investmentId: bigint | null
  readonly fromMemberId: bigint | null
}

/** A block of passive profit, by columns, in the order of members; only those who get something. */
export interface PassiveBlock {
  readonly members: readonly bigint[]
  readonly bases: readonly bigint[]
  readonly amounts: readonly bigint[]
  /** What each had earned of passive profit before; null where the plan has no cap. */
  readonly earned: readonly bigint[] | null
  readonly sum: bigint
  readonly largest: bigint
  readonly missed: readonly Missed[]
}

/** What each leg carries, by member id, with room for the last block whole. */
export interface Carried {
  readonly left: BigInt64Array
  readonly right: BigInt64Array
  readonly events: Int32Array
}
