import type { Tx } from '@aval/db'
import { query, queryFirst } from '../../../core/query.sql.ts'

interface Decided {
  readonly runId: bigint
  readonly operatorId: bigint
  readonly note: string
  readonly now: Date
}

/** Discards a run and opens the one that takes its place. */
export async function cancelRun(tx: Tx, { runId, operatorId, note, now }: Decided): Promise<void> {
  await query(tx)`SELECT cancel_payout_run(${runId}, ${operatorId}, ${note}, ${now})`
}

/** The username of who decided about a run. */
export async function selectDecider(tx: Tx, operatorId: bigint): Promise<string> {
  const found = await queryFirst<{ username: string }>(
    tx,
  )`SELECT username FROM member WHERE id = ${operatorId}`
  return found?.username ?? ''
}
