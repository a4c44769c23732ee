import type { Locale } from '@aval/contract'
import type { DB, Db, Tx } from '@aval/db'
import type { Insertable, Selectable } from 'kysely'
import { query } from '../../core/query.sql.ts'
import type { StopReason } from './reserves.rules.ts'

/** One comparison at a time, and none while a difference is being explained. */
export async function lockReserves(tx: Tx): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(7206)`
}

export async function insertCheck(tx: Tx, check: Insertable<DB['reserve_check']>): Promise<bigint> {
  const { id } = await tx.insertInto('reserve_check').values(check).returning('id').executeTakeFirstOrThrow()
  return id
}

export type Check = Selectable<DB['reserve_check']>

/** The latest comparisons, newest first. */
export async function selectChecks(db: Db, limit: number): Promise<Check[]> {
  return db.selectFrom('reserve_check').selectAll().orderBy('id', 'desc').limit(limit).execute()
}

/** Drops what is older than a month but for one comparison an hour. */
export async function deleteOldChecks(db: Db): Promise<void> {
  await query(db)`SELECT purge_reserve_checks()`
}

export async function selectOperators(db: Db): Promise<{ id: bigint; email: string; locale: Locale }[]> {
  const rows = await db
    .selectFrom('member')
    .select(['id', 'email', 'locale'])
    .where('is_operator', '=', true)
    .orderBy('id')
    .execute()
  return rows.map((row) => ({ ...row, locale: row.locale as Locale }))
}

export interface Stop {
  readonly stopped: boolean
  readonly since: Date | null
  readonly reason: string | null
}

export async function selectStop(db: Db): Promise<Stop> {
  return db.selectFrom('payout_stop').select(['stopped', 'since', 'reason']).executeTakeFirstOrThrow()
}

/** Stops for a comparison that did not match; while it is stopped, names what the latest one found. */
export async function stopPayouts(tx: Tx, checkId: bigint, reason: StopReason): Promise<void> {
  await query(tx)`SELECT stop_payouts(${checkId}, ${reason})`
}

/** Lifts the stop for the latest comparison, which matched. */
export async function liftStop(tx: Tx, checkId: bigint): Promise<void> {
  await query(tx)`SELECT lift_payout_stop(${checkId})`
}

/** One adjustment, for the journal that books it; the address's holding follows by a trigger. */
export async function recordAdjustment(
  tx: Tx,
  adjustment: { address: string; amount: bigint; reason: string; journalId: bigint; operatorId: bigint },
): Promise<void> {
  const { address, amount, reason, journalId, operatorId } = adjustment
  await query(tx)`
    SELECT record_custody_adjustment(${address}, ${amount}, ${reason}, ${journalId}, ${operatorId})`
}
