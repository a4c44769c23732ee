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

export async function updateStop(
  tx: Tx,
  stop: { stopped: boolean; since: Date | null; reason: StopReason | null; check_id: bigint | null },
): Promise<void> {
  await tx.updateTable('payout_stop').set(stop).execute()
}

/** What it is stopped for now, where that changed. */
export async function updateReason(tx: Tx, reason: StopReason): Promise<void> {
  await sql`UPDATE payout_stop SET reason = ${reason} WHERE stopped AND reason IS DISTINCT FROM ${reason}`.execute(
    tx,
  )
}
