/** The payout day: everything the product pays once a day, and how long each part takes. */
import type { Database } from '@aval/db'
import { payCommissions, runDue } from '../apps/server/src/features/payouts/payouts.commands.ts'
import { timed } from './timing.ts'

/** Milliseconds of wall time. */
export interface DayTimes {
  readonly direct: number
  readonly passive: number
  readonly binary: number
  readonly total: number
}

/** When the latest run of a kind was done, by the database's clock. */
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
 * then the two runs of the midnight, passive and after it binary, whose share is told by when it was done.
 */
export async function payDay(db: Database, now: Date): Promise<DayTimes> {
  const direct = await timed(() => payCommissions(db, now))
  const midnight = await timed(() => runDue(db, now))
  const binary = (await doneAt(db, 'binary')) - (await doneAt(db, 'passive'))
  return { direct, passive: midnight - binary, binary, total: direct + midnight }
}
