/**
 * What a run writes: its sealed items, what was missed, the carry of binary; then its batches, each posted in one
 * transaction by any worker, and the shares of a pro rata release.
 */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import { query, queryFirst, queryOne } from '../../../core/query.sql.ts'
import { BLOCK, type Carried, type Item, type Missed, type PassiveBlock } from '../runs/runs.rules.ts'
import type { Run } from '../runs/runs.sql.ts'

/** One array a column as PostgreSQL reads it: one parameter whatever the number of rows, and no parsing of objects. */
const column = (values: readonly (bigint | number | null)[]): string => {
  let text = ''
  for (const value of values) text += `${text === '' ? '' : ','}${value ?? 'NULL'}`
  return `{${text}}`
}

const ROWS = 20_000

export async function insertItems(tx: Tx, runId: bigint, items: readonly Item[]): Promise<void> {
  for (let from = 0; from < items.length; from += ROWS) {
    const rows = items.slice(from, from + ROWS)
    await query(tx)`
      INSERT INTO payout_item (member_id, run_id, leg, kind, amount, basis, percentage, level, investment_id, from_member_id,
        left_points, right_points, flushed)
      SELECT i.member_id, ${runId}, i.leg, i.kind::posting_kind, i.amount, i.basis, i.percentage, i.level, i.investment_id,
        i.from_member_id, i.left_points, i.right_points, i.flushed
      FROM unnest(${column(rows.map((i) => i.memberId))}::bigint[], ${column(rows.map((i) => i.leg))}::int[],
        ${rows.map((i) => i.kind)}::text[], ${column(rows.map((i) => i.amount))}::bigint[],
        ${column(rows.map((i) => i.basis))}::bigint[], ${rows.map((i) => i.percentage)}::text[],
        ${column(rows.map((i) => i.level))}::int[], ${column(rows.map((i) => i.investmentId))}::bigint[],
        ${column(rows.map((i) => i.fromMemberId))}::bigint[], ${column(rows.map((i) => i.leftPoints))}::bigint[],
        ${column(rows.map((i) => i.rightPoints))}::bigint[], ${column(rows.map((i) => i.flushed))}::bigint[])
        AS i (member_id, leg, kind, amount, basis, percentage, level, investment_id, from_member_id, left_points, right_points, flushed)`
  }
}

export async function insertMissed(tx: Tx, runId: bigint, missed: readonly Missed[]): Promise<void> {
  for (let from = 0; from < missed.length; from += ROWS) {
    const rows = missed.slice(from, from + ROWS)
    await query(tx)`
      INSERT INTO payout_missed (member_id, run_id, leg, kind, reason, amount, level, investment_id, from_member_id)
      SELECT m.member_id, ${runId}, m.leg, m.kind::posting_kind, m.reason, m.amount, m.level, m.investment_id, m.from_member_id
      FROM unnest(${column(rows.map((m) => m.memberId))}::bigint[], ${column(rows.map((m) => m.leg))}::int[],
        ${rows.map((m) => m.kind)}::text[], ${rows.map((m) => m.reason)}::text[],
        ${column(rows.map((m) => m.amount))}::bigint[], ${column(rows.map((m) => m.level))}::int[],
        ${column(rows.map((m) => m.investmentId))}::bigint[], ${column(rows.map((m) => m.fromMemberId))}::bigint[])
        AS m (member_id, leg, kind, reason, amount, level, investment_id, from_member_id)`
  }
}

/** Writes pages of passive items; PostgreSQL hashes each as it stands there. */
export async function insertPages(
  tx: Tx,
  runId: bigint,
  pages: readonly (PassiveBlock & { readonly block: number })[],
): Promise<void> {
  if (pages.length === 0) return
  const values = pages.map(
    (p) =>
      sql`(${p.block}::int, ${p.members.length}::int, ${p.sum}::bigint, ${column(p.members)}::bigint[], ${column(p.bases)}::bigint[],
        ${column(p.amounts)}::bigint[], ${p.earned === null ? null : column(p.earned)}::bigint[])`,
  )
  await query(tx)`
    INSERT INTO payout_page (run_id, block, item_count, item_sum, members, bases, amounts, earned, hash)
    SELECT ${runId}, p.block, p.n, p.total, p.members, p.bases, p.amounts, p.earned, encode(sha256(convert_to(
      p.members::text || p.bases::text || p.amounts::text || coalesce(p.earned::text, ''), 'UTF8')), 'hex')
    FROM (VALUES ${sql.join(values)}) AS p (block, n, total, members, bases, amounts, earned)`
}

/** The carry out of a day, block by block; only blocks that the day changed. */
export async function insertCarry(
  tx: Tx,
  run: { id: bigint; period: string },
  blocks: readonly number[],
  carry: Carried,
): Promise<void> {
  for (let from = 0; from < blocks.length; from += 32) {
    const values = blocks.slice(from, from + 32).map((block) => {
      const [start, end] = [block * BLOCK, (block + 1) * BLOCK]
      return sql`(${block}::int, ${`{${carry.left.subarray(start, end).join()}}`}::bigint[],
        ${`{${carry.right.subarray(start, end).join()}}`}::bigint[], ${`{${carry.events.subarray(start, end).join()}}`}::int[])`
    })
    await query(tx)`INSERT INTO binary_carry (run_id, period, block, lefts, rights, events)
      SELECT ${run.id}, ${run.period}, c.* FROM (VALUES ${sql.join(values)}) AS c`
  }
}

export interface Sealed {
  readonly hash: string
  readonly count: number
  readonly sum: bigint
  /** The most that any one member gets. */
  readonly largest: bigint
  readonly notPaid: bigint
  /** Of what passive items were computed from; the hash of nothing for other kinds. */
  readonly principals: string
}

/** Counts, adds up and hashes what a run has written. */
export async function selectSeal(tx: Tx, runId: bigint): Promise<Sealed> {
  return queryOne<Sealed>(tx)`
    WITH i AS (SELECT coalesce(sum(n), 0)::int AS n, coalesce(sum(total), 0) AS total, coalesce(max(total), 0)::bigint AS largest
        FROM (SELECT count(*) AS n, sum(amount) AS total FROM payout_item WHERE run_id = ${runId} GROUP BY member_id) members),
      p AS (SELECT coalesce(sum(item_count), 0)::int AS n, coalesce(sum(item_sum), 0) AS total,
          coalesce(max((SELECT max(a) FROM unnest(amounts) a)), 0) AS largest,
          encode(sha256(coalesce(string_agg(sha256(convert_to(members::text || bases::text || coalesce(earned::text, ''), 'UTF8')), ''::bytea ORDER BY block), '')), 'hex') AS principals
        FROM payout_page WHERE run_id = ${runId})
    SELECT seal_payout_run(${runId}) AS hash, i.n + p.n AS count, (i.total + p.total)::bigint AS sum,
      greatest(i.largest, p.largest) AS largest, p.principals,
      (SELECT coalesce(sum(amount), 0)::bigint FROM payout_missed WHERE run_id = ${runId}) AS "notPaid"
    FROM i, p`
}

/** Postings a transaction: long enough to be fast, short enough that a deposit never waits long for its member's row. */
const BLOCKS_A_BATCH = 16
const ITEMS_A_BATCH = 16_000

export async function insertBatches(tx: Tx, run: Run): Promise<void> {
  if (run.kind === 'passive') {
    await query(tx)`INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
      SELECT ${run.id}, number, min(block)::bigint * 1024, max(block)::bigint * 1024 + 1023, sum(item_count)
      FROM (SELECT block, item_count, ((row_number() OVER (ORDER BY block)) - 1) / ${BLOCKS_A_BATCH} AS number
        FROM payout_page WHERE run_id = ${run.id}) pages GROUP BY number`
    return
  }
  // A member's items stay together, however many they are.
  await query(tx)`INSERT INTO payout_batch (run_id, number, first_member_id, last_member_id, item_count)
    SELECT ${run.id}, (row_number() OVER (ORDER BY min(member_id))) - 1, min(member_id), max(member_id), sum(items)
    FROM (SELECT member_id, count(*) AS items, div(sum(count(*)) OVER (ORDER BY member_id) - 1, ${ITEMS_A_BATCH}) AS part
      FROM payout_item WHERE run_id = ${run.id} GROUP BY member_id) members GROUP BY part`
}

export interface Batch {
  readonly number: number
  readonly first: bigint
  readonly last: bigint
  readonly item_count: number
}

/** The next batch that no other transaction is posting; undefined when none is left. */
export async function claimBatch(tx: Tx, runId: bigint): Promise<Batch | undefined> {
  return queryFirst<Batch>(tx)`
    SELECT number, first_member_id AS first, last_member_id AS last, item_count FROM payout_batch
    WHERE run_id = ${runId} AND NOT posted ORDER BY number LIMIT 1 FOR UPDATE SKIP LOCKED`
}

/** Marks a batch as posted, and the run as done with the last one. Comes last in its transaction: other workers wait for this row. */
export async function finishBatch(tx: Tx, runId: bigint, batch: Batch, now: Date): Promise<void> {
  await query(tx)`UPDATE payout_batch SET posted = true WHERE run_id = ${runId} AND number = ${batch.number}`
  const rows = await query(tx)`
    UPDATE payout_run SET posted_count = posted_count + ${batch.item_count},
      state = CASE WHEN posted_count + ${batch.item_count} = item_count THEN 'done' ELSE 'posting' END,
      finished_at = CASE WHEN posted_count + ${batch.item_count} = item_count THEN ${now}::timestamptz END,
      stage_since = CASE WHEN posted_count + ${batch.item_count} = item_count THEN clock_timestamp() ELSE stage_since END
    WHERE id = ${runId} AND state IN ('released', 'posting') RETURNING 1`
  if (rows.length !== 1) throw new Error(`run ${runId} is not being posted`)
}

const numbers = (array: string): BigInt64Array =>
  array === '{}' ? new BigInt64Array(0) : BigInt64Array.from(array.slice(1, -1).split(','), BigInt)

export async function selectPageAmounts(
  db: Db,
  runId: bigint,
): Promise<{ block: number; amounts: BigInt64Array }[]> {
  const rows = await query<{ block: number; amounts: string }>(db)`
    SELECT block, amounts::text AS amounts FROM payout_page WHERE run_id = ${runId} ORDER BY block`
  return rows.map(({ block, amounts }) => ({ block, amounts: numbers(amounts) }))
}

type Share = Pick<Item, 'memberId' | 'leg'> & { readonly amount: bigint }

export async function selectAmounts(db: Db, runId: bigint): Promise<Share[]> {
  return query<Share>(db)`
    SELECT member_id AS "memberId", leg, amount FROM payout_item WHERE run_id = ${runId} ORDER BY member_id, leg`
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
    await query(tx)`INSERT INTO payout_page_share (run_id, block, amounts)
      SELECT ${runId}, s.* FROM (VALUES ${sql.join(values)}) AS s`
  }
}

export async function insertShares(tx: Tx, runId: bigint, shares: readonly Share[]): Promise<void> {
  await query(tx)`INSERT INTO payout_share (run_id, member_id, leg, amount)
    SELECT ${runId}, s.* FROM unnest(${`{${shares.map(({ memberId }) => memberId).join()}}`}::bigint[],
      ${`{${shares.map(({ leg }) => leg).join()}}`}::int[], ${`{${shares.map(({ amount }) => amount).join()}}`}::bigint[]) AS s`
}
