/** What runs write: sealed items, what was missed, the carry of binary; and how they are counted. */
import type { Tx } from '@aval/db'
import { sql } from 'kysely'
import { BLOCK } from '../runs/runs.rules.ts'
import type { Item, Missed } from './seal.rules.ts'

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
    await sql`
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
        AS i (member_id, leg, kind, amount, basis, percentage, level, investment_id, from_member_id, left_points, right_points, flushed)`.execute(
      tx,
    )
  }
}

export async function insertMissed(tx: Tx, runId: bigint, missed: readonly Missed[]): Promise<void> {
  for (let from = 0; from < missed.length; from += ROWS) {
    const rows = missed.slice(from, from + ROWS)
    await sql`
      INSERT INTO payout_missed (member_id, run_id, leg, kind, reason, amount, level, investment_id, from_member_id)
      SELECT m.member_id, ${runId}, m.leg, m.kind::posting_kind, m.reason, m.amount, m.level, m.investment_id, m.from_member_id
      FROM unnest(${column(rows.map((m) => m.memberId))}::bigint[], ${column(rows.map((m) => m.leg))}::int[],
        ${rows.map((m) => m.kind)}::text[], ${rows.map((m) => m.reason)}::text[],
        ${column(rows.map((m) => m.amount))}::bigint[], ${column(rows.map((m) => m.level))}::int[],
        ${column(rows.map((m) => m.investmentId))}::bigint[], ${column(rows.map((m) => m.fromMemberId))}::bigint[])
        AS m (member_id, leg, kind, reason, amount, level, investment_id, from_member_id)`.execute(tx)
  }
}

export interface NewPage {
  readonly block: number
  readonly count: number
  readonly sum: bigint
  readonly members: readonly bigint[]
  readonly bases: readonly bigint[]
  readonly amounts: readonly bigint[]
  readonly earned: readonly bigint[] | null
}

/** Writes pages of passive items; PostgreSQL hashes each as it stands there. */
export async function insertPages(tx: Tx, runId: bigint, pages: readonly NewPage[]): Promise<void> {
  if (pages.length === 0) return
  const values = pages.map(
    (p) =>
      sql`(${p.block}::int, ${p.count}::int, ${p.sum}::bigint, ${column(p.members)}::bigint[], ${column(p.bases)}::bigint[],
        ${column(p.amounts)}::bigint[], ${p.earned === null ? null : column(p.earned)}::bigint[])`,
  )
  await sql`
    INSERT INTO payout_page (run_id, block, item_count, item_sum, members, bases, amounts, earned, hash)
    SELECT ${runId}, p.block, p.n, p.total, p.members, p.bases, p.amounts, p.earned, encode(sha256(convert_to(
      p.members::text || p.bases::text || p.amounts::text || coalesce(p.earned::text, ''), 'UTF8')), 'hex')
    FROM (VALUES ${sql.join(values)}) AS p (block, n, total, members, bases, amounts, earned)`.execute(tx)
}

/** The carry out of a day, block by block; only blocks that the day changed. */
export async function insertCarry(
  tx: Tx,
  run: { id: bigint; period: string },
  blocks: readonly number[],
  carry: { left: BigInt64Array; right: BigInt64Array; events: Int32Array },
): Promise<void> {
  for (let from = 0; from < blocks.length; from += 32) {
    const values = blocks.slice(from, from + 32).map((block) => {
      const [start, end] = [block * BLOCK, (block + 1) * BLOCK]
      return sql`(${block}::int, ${`{${carry.left.subarray(start, end).join()}}`}::bigint[],
        ${`{${carry.right.subarray(start, end).join()}}`}::bigint[], ${`{${carry.events.subarray(start, end).join()}}`}::int[])`
    })
    await sql`INSERT INTO binary_carry (run_id, period, block, lefts, rights, events)
      SELECT ${run.id}, ${run.period}, c.* FROM (VALUES ${sql.join(values)}) AS c`.execute(tx)
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
  const { rows } = await sql<Sealed>`
    WITH i AS (SELECT coalesce(sum(n), 0)::int AS n, coalesce(sum(total), 0) AS total, coalesce(max(total), 0)::bigint AS largest
        FROM (SELECT count(*) AS n, sum(amount) AS total FROM payout_item WHERE run_id = ${runId} GROUP BY member_id) members),
      p AS (SELECT coalesce(sum(item_count), 0)::int AS n, coalesce(sum(item_sum), 0) AS total,
          coalesce(max((SELECT max(a) FROM unnest(amounts) a)), 0) AS largest,
          encode(sha256(coalesce(string_agg(sha256(convert_to(members::text || bases::text || coalesce(earned::text, ''), 'UTF8')), ''::bytea ORDER BY block), '')), 'hex') AS principals
        FROM payout_page WHERE run_id = ${runId})
    SELECT seal_payout_run(${runId}) AS hash, i.n + p.n AS count, (i.total + p.total)::bigint AS sum,
      greatest(i.largest, p.largest) AS largest, p.principals,
      (SELECT coalesce(sum(amount), 0)::bigint FROM payout_missed WHERE run_id = ${runId}) AS "notPaid"
    FROM i, p`.execute(tx)
  if (rows[0] === undefined) throw new Error('the seal answered nothing')
  return rows[0]
}
