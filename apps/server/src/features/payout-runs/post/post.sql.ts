/** Rows of a released run: its batches, each posted in one transaction by any worker, and the shares of a pro rata release. */
import type { Db, Tx } from '@aval/db'
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

const numbers = (array: string): BigInt64Array =>
  array === '{}' ? new BigInt64Array(0) : BigInt64Array.from(array.slice(1, -1).split(','), BigInt)

export async function selectPageAmounts(
  db: Db,
  runId: bigint,
): Promise<{ block: number; amounts: BigInt64Array }[]> {
  const { rows } = await sql<{ block: number; amounts: string }>`
    SELECT block, amounts::text AS amounts FROM payout_page WHERE run_id = ${runId} ORDER BY block`.execute(
    db,
  )
  return rows.map(({ block, amounts }) => ({ block, amounts: numbers(amounts) }))
}

export async function selectAmounts(
  db: Db,
  runId: bigint,
): Promise<{ memberId: bigint; leg: number; amount: bigint }[]> {
  const { rows } = await sql<{ member_id: bigint; leg: number; amount: bigint }>`
    SELECT member_id, leg, amount FROM payout_item WHERE run_id = ${runId} ORDER BY member_id, leg`.execute(
    db,
  )
  return rows.map((row) => ({ memberId: row.member_id, leg: row.leg, amount: row.amount }))
}

const PAGES_A_STATEMENT = 64

export async function insertPageShares(
  tx: Tx,
  runId: bigint,
  shares: readonly { block: number; amounts: BigInt64Array }[],
): Promise<void> {
  for (let from = 0; from < shares.length; from += PAGES_A_STATEMENT) {
    const values = shares
      .slice(from, from + PAGES_A_STATEMENT)
      .map(({ block, amounts }) => sql`(${block}::int, ${`{${amounts.join()}}`}::bigint[])`)
    await sql`INSERT INTO payout_page_share (run_id, block, amounts)
      SELECT ${runId}, s.* FROM (VALUES ${sql.join(values)}) AS s`.execute(tx)
  }
}

export async function insertShares(
  tx: Tx,
  runId: bigint,
  shares: readonly { memberId: bigint; leg: number; amount: bigint }[],
): Promise<void> {
  await sql`INSERT INTO payout_share (run_id, member_id, leg, amount)
    SELECT ${runId}, s.* FROM unnest(${`{${shares.map(({ memberId }) => memberId).join()}}`}::bigint[],
      ${`{${shares.map(({ leg }) => leg).join()}}`}::int[], ${`{${shares.map(({ amount }) => amount).join()}}`}::bigint[]) AS s`.execute(
    tx,
  )
}
