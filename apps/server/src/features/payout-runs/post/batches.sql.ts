/** The batches of a released run: each is posted in one transaction, by any number of workers. */
import type { Tx } from '@aval/db'
import { sql } from 'kysely'
import type { RunKind } from '../runs/runs.rules.ts'

/** Postings a transaction: long enough to be fast, short enough that a deposit never waits long for its member's row. */
const BLOCKS_A_BATCH = 16
const ITEMS_A_BATCH = 16_000

export async function insertBatchs(tx: Tx, run: { id: bigint; kind: RunKind }): Promise<void> {
  if (run.kind === 'passive') {
    await sql`INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
      SELECT ${run.id}, number, min(block)::bigint * 1024, max(block)::bigint * 1024 + 1023, sum(item_count)
      FROM (SELECT block, item_count, ((row_number() OVER (ORDER BY block)) - 1) / ${BLOCKS_A_BATCH} AS number
        FROM payout_page WHERE run_id = ${run.id}) pages GROUP BY number`.execute(tx)
    return
  }
  // A member's items stay together, however many they are.
  await sql`INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
    SELECT ${run.id}, (row_number() OVER (ORDER BY min(member_id))) - 1, min(member_id), max(member_id), sum(items)
    FROM (SELECT member_id, count(*) AS items, div(sum(count(*)) OVER (ORDER BY member_id) - 1, ${ITEMS_A_BATCH}) AS part
      FROM payout_item WHERE run_id = ${run.id} GROUP BY member_id) members GROUP BY part`.execute(tx)
}

export interface Batch {
  readonly number: number
  readonly first: bigint
  readonly last: bigint
  readonly item_count: number
}

/** The next batch that no other transaction is posting; undefined when none is left. */
export async function claimBatch(tx: Tx, runId: bigint): Promise<Batch | undefined> {
  const { rows } = await sql<Batch>`
    SELECT number, first_member_id AS first, last_member_id AS last, item_count FROM payout_batch
    WHERE run_id = ${runId} AND NOT posted ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED`.execute(tx)
  return rows[0]
}

/** Marks a batch as posted, and the run as done with the last one. Comes last in its transaction: other workers wait for this row. */
export async function finishBatch(tx: Tx, runId: bigint, batch: Batch, now: Date): Promise<void> {
  await sql`UPDATE payout_batch SET posted = true WHERE run_id = ${runId} AND number = ${batch.number}`.execute(
    tx,
  )
  const { rows } = await sql`
    UPDATE payout_run SET posted_count = posted_count + ${batch.item_count},
      state = CASE WHEN posted_count + ${batch.item_count} = item_count THEN 'done' ELSE 'posting' END,
      finished_at = CASE WHEN posted_count + ${batch.item_count} = item_count THEN ${now}::timestamptz END,
      stage_since = CASE WHEN posted_count + ${batch.item_count} = item_count THEN clock_timestamp() ELSE stage_since END
    WHERE id = ${runId} AND state IN ('released', 'posting') RETURNING 1`.execute(tx)
  if (rows.length !== 1) throw new Error(`run ${runId} is not being posted`)
}
