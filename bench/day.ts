/** The payout day: everything the product pays once a day, and how long each part takes. */
import type { Database } from '@aval/db'
import { payCommissions, runDue } from '../apps/server/src/features/payout-runs/advance.commands.ts'
import { msSince } from './timing.ts'

/** Milliseconds of wall time from the start of the part; passive and binary are paid side by side, so they overlap. */
export interface DayTimes {
  readonly direct: number
  readonly passive: number
  readonly binary: number
  /** Of the whole day: direct, and then the longer of the two. */
  readonly total: number
}

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

/**
 * Pays everything that is due at `now`, as the product's worker does: the commissions of the day's investments in batches,
 * then the two runs of the midnight.
 */
export async function payDay(db: Database, now: Date): Promise<DayTimes> {
  const begun = performance.now()
  await payCommissions(db, now)
  const direct = msSince(begun)
  const midnight = Date.now()
  await runDue(db, now)
  const total = msSince(begun)
  return {
    direct,
    passive: (await doneAt(db, 'passive')) - midnight,
    binary: (await doneAt(db, 'binary')) - midnight,
    total,
  }
}
