import type { DB, Db, Tx } from '@aval/db'
import type { Insertable, Selectable } from 'kysely'
import { query, queryValue } from '../../core/query.sql.ts'
import type { StopReason } from './reserves.rules.ts'

/** One comparison at a time. */
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
  /**
   * `altered` when it stands for nothing but the database's integrity, `restored` for nothing but a restore, `operator` for nothing but an
   * operator's stop.
   */
  readonly reason: string | null
  /** Whether the reserves are a cause of it. */
  readonly byReserves: boolean
  readonly byIntegrity: boolean
  readonly byRestoration: boolean
  /** An operator's stop that stands. */
  readonly byOperator: {
    readonly id: bigint
    readonly username: string
    readonly at: Date
    readonly reason: string
  } | null
}

export async function selectStop(db: Db): Promise<Stop> {
  const row = await db
    .selectFrom('payout_stop as p')
    .leftJoin('payments_stop as s', 's.id', 'p.operator_stop_id')
    .leftJoin('member as m', 'm.id', 's.stopped_by')
    .select(['p.stopped', 'p.since', 'p.reason', 'p.integrity_check_id', 'p.restoration_id'])
    .select(['s.id', 's.stopped_at', 's.reason as because', 'm.username'])
    .executeTakeFirstOrThrow()
  const altered = row.integrity_check_id !== null
  const restored = row.restoration_id !== null
  const operator =
    row.id === null
      ? null
      : {
          id: row.id,
          username: row.username ?? '',
          at: row.stopped_at ?? new Date(0),
          reason: row.because ?? '',
        }
  const other = altered ? 'altered' : restored ? 'restored' : operator === null ? null : 'operator'
  return {
    stopped: row.stopped,
    since: row.since,
    reason: row.reason ?? other,
    byReserves: row.stopped && (row.reason !== null || other === null),
    byIntegrity: altered,
    byRestoration: restored,
    byOperator: operator,
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
