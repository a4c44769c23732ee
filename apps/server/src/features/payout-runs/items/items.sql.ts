/** Items of sealed runs: of passive runs in pages, by blocks of ids; of the others a row each (decisions 011 and 012). */
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { countOf, query, queryColumn, queryFirst, queryValue } from '../../../core/query.sql.ts'
import type { RunKind } from '../runs/runs.rules.ts'

/** A run as far as its items are asked for. */
export interface ReadRun {
  readonly id: bigint
  readonly kind: RunKind
  readonly period: string
  readonly state: string
  readonly item_count: number
  readonly item_sum: bigint
  readonly rate: string | null
  readonly plan_version: number
  readonly prorated: boolean
}

const COLUMNS = sql.raw('id, kind, period, state, item_count, item_sum, rate, plan_version, prorated')

export const selectReadRun = (db: Db, id: bigint | null) =>
  queryFirst<ReadRun>(db)`SELECT ${COLUMNS} FROM payout_run WHERE id = ${id} AND state <> 'computing'`

/** The run that one is compared with, as its checks do: of the last day before it whose run was released. Index: payout_run_one_a_period. */
export const selectBefore = (db: Db, { kind, period }: ReadRun) =>
  queryFirst<ReadRun>(db)`SELECT ${COLUMNS} FROM payout_run
    WHERE kind = ${kind} AND kind <> 'direct' AND period < ${period} AND state IN ('released', 'posting', 'done') ORDER BY period DESC LIMIT 1`

/** The latest passive run whose items are sealed, up to a day. */
export const selectLatestPassive = (db: Db, day: string) =>
  queryFirst<ReadRun>(db)`SELECT ${COLUMNS} FROM payout_run
    WHERE kind = 'passive' AND period <= ${day} AND state NOT IN ('computing', 'cancelled') ORDER BY period DESC LIMIT 1`

/** Of whom an item is: a member, and its number among the member's items. */
export interface ItemKey {
  readonly member_id: bigint
  readonly leg: number
}

const keyed = (keys: readonly ItemKey[]) =>
  sql`unnest(${keys.map((key) => String(key.member_id))}::bigint[], ${keys.map((key) => key.leg)}::int[]) WITH ORDINALITY AS k (member_id, leg, place)`

/**
 * Keys after another one, in the order of members. Of passive runs from as many pages as have that many items, whatever the first has left: one
 * or two of a big run. Indexes: payout_page's key, payout_item_by_run.
 */
export function selectKeys(db: Db, run: ReadRun, after: ItemKey, limit: number): Promise<ItemKey[]> {
  if (run.kind === 'passive')
    return query<ItemKey>(db)`
      WITH head AS (SELECT block, item_count, row_number() OVER (ORDER BY block) AS place FROM payout_page
          WHERE run_id = ${run.id} AND block >= ${after.member_id}::bigint / 1024 ORDER BY block LIMIT ${limit}),
        wanted AS (SELECT block FROM (SELECT block, sum(CASE WHEN place = 1 THEN 0 ELSE item_count END) OVER (ORDER BY place) - item_count AS earlier
          FROM head) h WHERE earlier < ${limit}::int)
      SELECT i.member_id, 0 AS leg FROM wanted w JOIN payout_page p ON p.run_id = ${run.id} AND p.block = w.block, unnest(p.members) AS i (member_id)
      WHERE i.member_id > ${after.member_id} ORDER BY i.member_id LIMIT ${limit}`
  return query<ItemKey>(db)`
    SELECT member_id, leg FROM payout_item WHERE run_id = ${run.id} AND (member_id, leg) > (${after.member_id}, ${after.leg})
    ORDER BY member_id, leg LIMIT ${limit}`
}

/** The same of some members alone. Indexes: payout_page's key, payout_item's key. */
export async function selectKeysOf(
  db: Db,
  run: ReadRun,
  members: readonly bigint[],
  after: ItemKey,
  limit: number,
): Promise<ItemKey[]> {
  const wanted = sql`${members.map(String)}::bigint[]`
  if (run.kind === 'passive')
    return query<ItemKey>(db)`
      SELECT m.id AS member_id, 0 AS leg FROM unnest(${wanted}) AS m (id) JOIN payout_page p ON p.run_id = ${run.id} AND p.block = m.id / 1024
      WHERE m.id = ANY(p.members) AND m.id > ${after.member_id} ORDER BY 1 LIMIT ${limit}`
  return query<ItemKey>(db)`
    SELECT member_id, leg FROM payout_item WHERE member_id = ANY(${wanted}) AND run_id = ${run.id}
      AND (member_id, leg) > (${after.member_id}, ${after.leg}) ORDER BY member_id, leg LIMIT ${limit}`
}

export interface StoredItem extends ItemKey {
  readonly username: string
  readonly kind: 'passive' | 'direct' | 'master' | 'binary'
  readonly level: number | null
  readonly amount: bigint
  /** Paid after a pro rata release; null where the whole amount is. */
  readonly shared: bigint | null
  readonly basis: bigint | null
  readonly percentage: string | null
  readonly from_username: string | null
  readonly investment_id: bigint | null
  readonly left_points: bigint | null
  readonly right_points: bigint | null
  readonly flushed: bigint | null
  readonly before: bigint | null
  readonly reason: string | null
}

const NOTHING_MORE = sql.raw(
  'NULL::text AS from_username, NULL::bigint AS investment_id, NULL::bigint AS left_points, NULL::bigint AS right_points, NULL::bigint AS flushed',
)

/** What the run `id` paid the member `k.member_id` in all; null where nothing. */
const paidBy = (kind: RunKind, id: bigint | null) =>
  kind === 'passive'
    ? sql`(SELECT q.amounts[array_position(q.members, k.member_id)] FROM payout_page q WHERE q.run_id = ${id} AND q.block = k.member_id / 1024)`
    : sql`(SELECT sum(q.amount)::bigint FROM payout_item q WHERE q.member_id = k.member_id AND q.run_id = ${id})`

/** The items of some keys, in their order, beside what the run before paid. */
export function selectItems(
  db: Db,
  run: ReadRun,
  before: bigint | null,
  keys: readonly ItemKey[],
): Promise<StoredItem[]> {
  if (run.kind === 'passive')
    return query<StoredItem>(db)`
      SELECT k.member_id, k.leg, m.username, 'passive' AS kind, NULL::int AS level, p.amounts[a.i] AS amount, s.amounts[a.i] AS shared,
        p.bases[a.i] AS basis, NULL::text AS percentage, ${NOTHING_MORE}, ${paidBy(run.kind, before)} AS before, NULL::text AS reason
      FROM ${keyed(keys)} JOIN payout_page p ON p.run_id = ${run.id} AND p.block = k.member_id / 1024
        CROSS JOIN LATERAL (SELECT array_position(p.members, k.member_id) AS i) a JOIN member m ON m.id = k.member_id
        LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
      WHERE a.i IS NOT NULL ORDER BY k.place`
  return query<StoredItem>(db)`
    SELECT k.member_id, k.leg, m.username, i.kind::text AS kind, i.level, i.amount, s.amount AS shared, i.basis, i.percentage,
      f.username AS from_username, i.investment_id, i.left_points, i.right_points, i.flushed, ${paidBy(run.kind, before)} AS before, NULL::text AS reason
    FROM ${keyed(keys)} JOIN payout_item i ON i.member_id = k.member_id AND i.run_id = ${run.id} AND i.leg = k.leg
      JOIN member m ON m.id = k.member_id LEFT JOIN member f ON f.id = i.from_member_id
      LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    ORDER BY k.place`
}

/**
 * Members whom the run before paid and this one does not, with what that paid and why not now. Where nothing was written down as missed, what is
 * known of them now says it.
 */
export function selectGone(
  db: Db,
  run: ReadRun,
  before: bigint | null,
  keys: readonly ItemKey[],
): Promise<StoredItem[]> {
  return query<StoredItem>(db)`
    SELECT k.member_id, k.leg, m.username, ${run.kind} AS kind, NULL::int AS level, ${paidBy(run.kind, before)} AS amount, NULL::bigint AS shared,
      NULL::bigint AS basis, NULL::text AS percentage, ${NOTHING_MORE}, NULL::bigint AS before, ${goneReason(run)} AS reason
    FROM ${keyed(keys)} JOIN member m ON m.id = k.member_id LEFT JOIN member_balance b ON b.member_id = k.member_id
      LEFT JOIN LATERAL (SELECT reason FROM payout_missed q WHERE q.member_id = k.member_id AND q.run_id = ${run.id} ORDER BY q.leg LIMIT 1) x ON true
    ORDER BY k.place`
}

/** @param run whose members `b` and `x.reason` are about */
export const goneReason = ({ rate }: Pick<ReadRun, 'rate'>) =>
  sql`coalesce(x.reason, CASE WHEN ${rate}::text LIKE '0/%' THEN 'rate_zero' WHEN coalesce(b.principal, 0) = 0 THEN 'no_principal' ELSE 'nothing_due' END)`

/** What was not paid, in the order of members. Indexes: payout_missed_by_run, of some members payout_missed's key. */
export function selectMissed(
  db: Db,
  run: ReadRun,
  members: readonly bigint[] | null,
  after: ItemKey,
  limit: number,
): Promise<StoredItem[]> {
  const whose: RawBuilder<unknown> =
    members === null ? sql`true` : sql`x.member_id = ANY(${members.map(String)}::bigint[])`
  return query<StoredItem>(db)`
    SELECT x.member_id, x.leg, m.username, x.kind::text AS kind, x.level, x.amount, NULL::bigint AS shared, NULL::bigint AS basis,
      NULL::text AS percentage, f.username AS from_username, x.investment_id, NULL::bigint AS left_points, NULL::bigint AS right_points,
      NULL::bigint AS flushed, NULL::bigint AS before, x.reason
    FROM (SELECT * FROM payout_missed x WHERE run_id = ${run.id} AND ${whose} AND (member_id, leg) > (${after.member_id}, ${after.leg})
      ORDER BY member_id, leg LIMIT ${limit}) x
      JOIN member m ON m.id = x.member_id LEFT JOIN member f ON f.id = x.from_member_id ORDER BY x.member_id, x.leg`
}

export const countMissed = (db: Db, run: ReadRun, members: readonly bigint[] | null) =>
  countOf(
    db,
  )`payout_missed WHERE run_id = ${run.id} AND ${members === null ? sql`true` : sql`member_id = ANY(${members.map(String)}::bigint[])`}`

/** Members of a username or e-mail that begins with what was typed, or of a number. Index: member_identifier's key. */
export async function selectNamed(db: Db, typed: string, limit: number): Promise<bigint[]> {
  const text = typed.normalize('NFKC').trim().toLowerCase()
  const like = `${text.replace(/[\\%_]/g, '\\$&')}%`
  const found = await queryColumn<bigint>(db)`
    SELECT DISTINCT member_id FROM (SELECT member_id FROM member_identifier WHERE kind IN ('username', 'email') AND value LIKE ${like} LIMIT ${limit}) named`
  if (!/^[1-9]\d{0,17}$/.test(text)) return found
  return [...found, ...(await queryColumn<bigint>(db)`SELECT id FROM member WHERE id = ${text}::bigint`)]
}

/** Items of a run that a page reads whole where it has no digest yet. */
export const MOST_AT_ONCE = 2_000

const itemsOf = (kind: RunKind, id: bigint | null) =>
  kind === 'passive'
    ? sql`SELECT i.member_id, 0 AS leg, 'passive' AS kind, NULL::int AS level, i.amount, i.basis
        FROM payout_page p, unnest(p.members, p.bases, p.amounts) AS i (member_id, basis, amount) WHERE p.run_id = ${id}`
    : sql`SELECT member_id, leg, kind::text, level, amount, basis FROM payout_item WHERE run_id = ${id}`

/** From which principal on a member is of a class, in micro-USDT. */
const CLASSES = sql.raw("'{1,1000000000,10000000000,100000000000}'::bigint[]")

/**
 * A run in figures, as one JSON text. Reads every item of the run and of the one before it once: two seconds of a million of each. Ties are
 * broken by member, so that it comes out the same whenever it is made.
 */
export function digestOf(db: Db, run: ReadRun, before: ReadRun | undefined): Promise<string> {
  const top = (of: string, what: string, order: string, most: number) =>
    sql.raw(
      `(SELECT coalesce(jsonb_agg(${what} ORDER BY ${order}), '[]') FROM (SELECT * FROM ${of} ORDER BY ${order} LIMIT ${most}) t)`,
    )
  return queryValue<string>(db)`
    WITH item AS MATERIALIZED (${itemsOf(run.kind, run.id)}), was AS MATERIALIZED (${itemsOf(run.kind, before?.id ?? null)}),
    paired AS MATERIALIZED (SELECT member_id, n.amount AS now, w.amount AS before
      FROM (SELECT member_id, sum(amount)::bigint AS amount FROM item GROUP BY member_id) n
      FULL JOIN (SELECT member_id, sum(amount)::bigint AS amount FROM was GROUP BY member_id) w USING (member_id) WHERE ${before !== undefined}),
    changed AS (SELECT * FROM paired WHERE now <> before), fresh AS (SELECT * FROM paired WHERE before IS NULL), gone AS (SELECT * FROM paired WHERE now IS NULL),
    missed AS (SELECT DISTINCT ON (member_id) member_id, reason FROM payout_missed WHERE run_id = ${run.id} ORDER BY member_id, leg),
    reasoned AS (SELECT g.before, ${goneReason(run)} AS reason FROM gone g LEFT JOIN missed x USING (member_id) LEFT JOIN member_balance b USING (member_id))
    SELECT jsonb_build_object(
      'rules', (SELECT coalesce(jsonb_agg(jsonb_build_array(kind, level, n, amount::text, basis::text) ORDER BY kind, level), '[]')
        FROM (SELECT kind, level, count(*) AS n, sum(amount) AS amount, sum(basis) AS basis FROM item GROUP BY kind, level) t),
      'classes', (SELECT coalesce(jsonb_agg(jsonb_build_array(class, n, basis::text) ORDER BY class), '[]')
        FROM (SELECT width_bucket(basis, ${CLASSES}) AS class, count(*) AS n, sum(basis) AS basis FROM item WHERE kind = 'passive' GROUP BY 1) t),
      'missed', (SELECT coalesce(jsonb_agg(jsonb_build_array(reason, n, amount::text) ORDER BY reason), '[]')
        FROM (SELECT reason, count(*) AS n, sum(amount) AS amount FROM payout_missed WHERE run_id = ${run.id} GROUP BY reason) t),
      'largest', ${top('item', 'jsonb_build_array(member_id, leg)', 'amount DESC, member_id, leg', 1000)},
      'changes', ${top('changed', 'member_id', 'abs(now - before) DESC, member_id', 100)},
      'fresh', ${top('fresh', 'member_id', 'now DESC, member_id', 100)}, 'gone', ${top('gone', 'member_id', 'before DESC, member_id', 100)},
      'fresh_sum', (SELECT jsonb_build_array(count(*), coalesce(sum(now), 0)::text) FROM fresh),
      'gone_sum', (SELECT jsonb_build_array(count(*), coalesce(sum(before), 0)::text) FROM gone),
      'gone_reasons', (SELECT coalesce(jsonb_agg(jsonb_build_array(reason, n, amount::text) ORDER BY reason), '[]')
        FROM (SELECT reason, count(*) AS n, sum(before) AS amount FROM reasoned GROUP BY reason) t),
      'raised', (SELECT count(*) FROM changed WHERE now > before), 'lowered', (SELECT count(*) FROM changed WHERE now < before))::text`
}

export const selectDigest = (db: Db, runId: bigint) =>
  queryFirst<{ before_id: bigint | null; figures: unknown }>(db)`
    SELECT before_id, figures FROM payout_digest WHERE run_id = ${runId}`

export async function insertDigest(
  db: Db,
  runId: bigint,
  before: bigint | null,
  figures: string,
): Promise<void> {
  await query(
    db,
  )`INSERT INTO payout_digest (run_id, before_id, figures) VALUES (${runId}, ${before}, ${figures}::jsonb) ON CONFLICT DO NOTHING`
}

/** Sealed runs that have no digest yet, newest first: every day, and batches too big for a page to read whole. */
export const selectUndigested = (db: Db, limit: number) =>
  query<ReadRun>(db)`
    SELECT ${COLUMNS} FROM payout_run r WHERE state NOT IN ('computing', 'cancelled') AND (kind <> 'direct' OR item_count > ${MOST_AT_ONCE})
      AND NOT EXISTS (SELECT FROM payout_digest d WHERE d.run_id = r.id) ORDER BY id DESC LIMIT ${limit}`
