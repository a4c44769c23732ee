import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { StopReason } from './reserves.rules.ts'

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
  await sql`SELECT stop_payouts(${checkId}, ${reason})`.execute(tx)
}

/** Lifts the stop for the latest comparison, which matched. */
export async function liftStop(tx: Tx, checkId: bigint): Promise<void> {
  await sql`SELECT lift_payout_stop(${checkId})`.execute(tx)
}
