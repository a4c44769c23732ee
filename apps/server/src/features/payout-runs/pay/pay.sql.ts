/**
 * What a run writes: its sealed items, what was missed, the carry of binary. Its release and its postings are written by functions of
 * the database.
 */
import type { Tx } from '@aval/db'
import { sql } from 'kysely'
import { query, queryOne, queryValue } from '../../../core/query.sql.ts'
import { BLOCK, type Carried, type Item, type Missed, type PassiveBlock } from '../runs/runs.rules.ts'

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

/** Writes pages of passive items; each counts, adds up and hashes itself there. */
export async function insertPages(
  tx: Tx,
  runId: bigint,
  pages: readonly (PassiveBlock & { readonly block: number })[],
): Promise<void> {
  if (pages.length === 0) return
  const values = pages.map(
    (p) =>
      sql`(${p.block}::int, ${column(p.members)}::bigint[], ${column(p.bases)}::bigint[], ${column(p.amounts)}::bigint[],
        ${p.earned === null ? null : column(p.earned)}::bigint[])`,
  )
  await query(tx)`INSERT INTO payout_page (run_id, block, members, bases, amounts, earned)
    SELECT ${runId}, p.* FROM (VALUES ${sql.join(values)}) AS p`
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
  /** Of what passive items were computed from; the hash of nothing for other kinds. */
  readonly principals: string
}

/** Hashes what the items that a run has written were computed from. */
export async function selectSeal(tx: Tx, runId: bigint): Promise<Sealed> {
  return queryOne<Sealed>(tx)`
    SELECT encode(sha256(coalesce(string_agg(sha256(convert_to(members::text || bases::text || coalesce(earned::text, ''), 'UTF8')), ''::bytea
      ORDER BY block), '')), 'hex') AS principals FROM payout_page WHERE run_id = ${runId}`
}

/** Takes a run further that was computed twice. A run that pays nobody is done with its release. */
export async function releaseRun(
  tx: Tx,
  runId: bigint,
  now: Date,
): Promise<'waiting' | 'held' | 'released' | 'done'> {
  return queryValue<'waiting' | 'held' | 'released' | 'done'>(tx)`SELECT release_payout_run(${runId}, ${now})`
}

/** Posts one batch of a released run that no other worker has claimed. False when there is none, or payments are stopped. */
export async function postBatch(tx: Tx, runId: bigint, now: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT post_payout_batch(${runId}, ${now})`
}
