import type { DB, Db, Tx } from '@aval/db'
import type { Insertable, Selectable } from 'kysely'
import { query, queryValue } from '../../core/query.sql.ts'
import type { StopReason } from './reserves.rules.ts'

/** One comparison at a time, and none while a difference is being explained. */
export async function lockReserves(tx: Tx): Promise<void> {
  await query(tx)`SELECT hold_lock('reserves')`
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

export interface Stop {
  readonly stopped: boolean
  readonly since: Date | null
  /** `altered` when it stands for nothing but the database's integrity, `restored` for nothing but a restore. */
  readonly reason: string | null
  /** Whether the reserves are a cause of it. */
  readonly byReserves: boolean
}

export async function selectStop(db: Db): Promise<Stop> {
  const row = await db
    .selectFrom('payout_stop')
    .select(['stopped', 'since', 'reason', 'integrity_check_id', 'restoration_id'])
    .executeTakeFirstOrThrow()
  const altered = row.integrity_check_id !== null
  const restored = row.restoration_id !== null
  return {
    stopped: row.stopped,
    since: row.since,
    reason: row.reason ?? (altered ? 'altered' : restored ? 'restored' : null),
    byReserves: row.stopped && (row.reason !== null || !(altered || restored)),
  }
}

/** Stops for a comparison that did not match; while it is stopped, names what the latest one found. */
export async function stopPayouts(tx: Tx, checkId: bigint, reason: StopReason): Promise<void> {
  await query(tx)`SELECT stop_payouts(${checkId}, ${reason})`
}

/** Lifts the stop for the latest comparison, which matched. */
export async function liftStop(tx: Tx, checkId: bigint): Promise<void> {
  await query(tx)`SELECT lift_payout_stop(${checkId})`
}

/** Ends a restoration whose payments are all read, booked and compared; false where there is none such. */
export async function endRestoration(tx: Tx): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT end_restoration()`
}

/** Books a difference of one address against the company's capital. */
export async function bookDifference(
  tx: Tx,
  explained: {
    address: string
    difference: bigint
    reason: string
    operatorId: bigint
    key: string
    at: Date
  },
): Promise<void> {
  const { address, difference, reason, operatorId, key, at } = explained
  await query(
    tx,
  )`SELECT explain_difference(${address}, ${difference}, ${reason}, ${operatorId}, ${key}, ${at})`
}
