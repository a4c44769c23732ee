/** Runs that an operator had computed again. */
import type { Db, Tx } from '@aval/db'
import { query, queryFirst, queryValue } from '../../../core/query.sql.ts'

export interface StoredReplay {
  readonly id: bigint
  readonly run_id: bigint
  readonly asked_by: string | null
  readonly asked_at: Date
  readonly state: 'waiting' | 'computing' | 'matches' | 'differs' | 'unsealed'
  readonly done: number
  readonly total: number
  readonly result: unknown
  readonly finished_at: Date | null
}

/** @throws with the constraint `payout_replay_once` while one of the run is under way */
export const insertReplay = (tx: Tx, runId: bigint, operatorId: bigint, now: Date): Promise<bigint> =>
  queryValue<bigint>(tx)`
    INSERT INTO payout_replay (run_id, asked_by, asked_at) VALUES (${runId}, ${operatorId}, ${now}) RETURNING id`

/** Newest first; the last few. Index: payout_replay_by_run. */
export const selectReplays = (db: Db, runId: bigint, limit: number) =>
  query<StoredReplay>(db)`
    SELECT r.id, r.run_id, m.username AS asked_by, r.asked_at, r.state, r.done, r.total, r.result, r.finished_at
    FROM payout_replay r LEFT JOIN member m ON m.id = r.asked_by WHERE r.run_id = ${runId} ORDER BY r.id DESC LIMIT ${limit}`

export const selectUnderWay = (db: Db, runId: bigint) =>
  queryFirst<{ username: string | null; asked_at: Date }>(db)`
    SELECT m.username, r.asked_at FROM payout_replay r LEFT JOIN member m ON m.id = r.asked_by
    WHERE r.run_id = ${runId} AND r.finished_at IS NULL`

/** Those that wait, or were left unfinished, oldest first. */
export const selectOpenReplays = (db: Db, limit: number) =>
  query<{ id: bigint; run_id: bigint }>(db)`
    SELECT id, run_id FROM payout_replay WHERE finished_at IS NULL ORDER BY id LIMIT ${limit}`

export async function updateReplay(db: Db, id: bigint, done: number, total: number): Promise<void> {
  await query(
    db,
  )`UPDATE payout_replay SET state = 'computing', done = ${done}, total = ${total} WHERE id = ${id} AND finished_at IS NULL`
}

export async function finishReplay(
  db: Db,
  id: bigint,
  state: string,
  result: string,
  now: Date,
): Promise<void> {
  await query(
    db,
  )`UPDATE payout_replay SET state = ${state}, done = total, result = ${result}::jsonb, finished_at = ${now}
    WHERE id = ${id} AND finished_at IS NULL`
}
