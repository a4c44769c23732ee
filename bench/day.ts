/**
 * The payout day: everything the product pays once a day, and how long each part takes. Nothing depends on the date of the
 * machine.
 */

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@aval/db'
import { sql } from 'kysely'
import type pg from 'pg'
import {
  payCommissions,
  resumeRuns,
  runDue,
} from '../apps/server/src/features/payout-runs/advance.commands.ts'
import { msSince } from './measures.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Midnight in America/Bogota, the time zone of the first plan: up to here a member's principal earns the day. */
export const CUTOFF = new Date('2026-06-15T05:00:00Z')

const before = (ms: number) => new Date(CUTOFF.getTime() - ms)

export const dayLater = (date: Date): Date => new Date(date.getTime() + DAY_MS)

/** The midnight before is paid already: passive profit of the day it began, the match of the day it ended. */
export const PAID = {
  day: '2026-06-14',
  matched: '2026-06-13',
  cutoff: before(DAY_MS),
  /** When that is done in earnest: what was invested on the day it ended, and minutes after it. */
  invested: [before(47 * HOUR_MS), before(30 * HOUR_MS)],
  at: before(DAY_MS - HOUR_MS / 6),
} as const

export const LOAD_DATES = {
  joined: [before(400 * DAY_MS), before(40 * DAY_MS)],
  earlier: [before(30 * DAY_MS), before(30 * HOUR_MS)],
  today: [before(20 * HOUR_MS), before(4 * HOUR_MS)],
} as const

/** When the company paid in what the pools pay from. */
export const ENDOWED_AT = before(31 * DAY_MS)

/** Business time at which the day is paid: minutes after it has begun. */
export const NOW = before(-HOUR_MS / 6)

/** When the latest run of a kind was done, by the database's clock, which is this machine's. */
async function doneAt(db: Database, kind: 'passive' | 'binary'): Promise<number> {
  const { stage_since } = await db
    .selectFrom('payout_run')
    .select('stage_since')
    .where('kind', '=', kind)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  return stage_since.getTime()
}

/** How soon a worker hears of the auditor's word. */
const HEARD_MS = 5
const MOST_LOOKS = 200_000

/** Goes on with what the auditor, a process beside, has said of it, until no run is under way. */
export async function untilPaid(db: Database, now: Date): Promise<void> {
  for (let look = 0; look < MOST_LOOKS; look += 1) {
    const { rows } = await sql<{ goes_on: boolean }>`
      SELECT bool_or(r.state <> 'sealed' OR a.run_id IS NOT NULL) AS goes_on FROM payout_run r LEFT JOIN payout_audit a ON a.run_id = r.id
      WHERE r.state IN ('computing', 'sealed', 'released', 'posting') HAVING count(*) > 0`.execute(db)
    if (rows[0] === undefined) return
    if (rows[0].goes_on) await resumeRuns(db, now)
    else await pause(HEARD_MS)
  }
  throw new Error('the runs do not come to an end')
}

/**
 * Pays everything that is due at `now`, as the product's worker does: the commissions of the day's investments in batches,
 * then the two runs of the midnight.
 *
 * @returns milliseconds of wall time from the start of the part; passive and binary are paid side by side, so they overlap
 */
export async function payDay(db: Database, now: Date) {
  const begun = performance.now()
  await payCommissions(db, now)
  await untilPaid(db, now)
  const direct = msSince(begun)
  const midnight = Date.now()
  await runDue(db, now)
  await untilPaid(db, now)
  const total = msSince(begun)
  return {
    direct,
    passive: (await doneAt(db, 'passive')) - midnight,
    binary: (await doneAt(db, 'binary')) - midnight,
    /** Of the whole day: direct, and then the longer of the two. */
    total,
  }
}

export interface PaidSoFar {
  readonly postings: number
  readonly items: number
  readonly lastJournal: string
  readonly unfinished: number
}

/** Items of commissions are rows, those of passive profit are kept by pages. */
export async function selectPaidSoFar(client: pg.ClientBase): Promise<PaidSoFar> {
  const { rows } = await client.query<PaidSoFar>(
    `SELECT (SELECT count(*)::int FROM posting WHERE member_id <> 0) AS postings,
       ((SELECT count(*) FROM payout_item) + (SELECT coalesce(sum(item_count), 0) FROM payout_page))::int AS items,
       (SELECT coalesce(max(id), 0)::text FROM journal) AS "lastJournal",
       (SELECT count(*)::int FROM payout_run WHERE state <> 'done') AS unfinished`,
  )
  if (rows[0] === undefined) throw new Error('the counts answered nothing')
  return rows[0]
}
