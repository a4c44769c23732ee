/** Sums that a job keeps, so that no page of operators sums what grows with members (migration 0048, decision 081). */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import { query, queryColumn, queryValue } from '../../core/query.sql.ts'

/** Every journal of a part of the ledger. */
const JOURNALS = 131_072n

const ofPart = (part: bigint) =>
  sql`journal_id >= ${part * JOURNALS} AND journal_id < ${(part + 1n) * JOURNALS}`

/** The parts that may have changed since they were summed: all after those that were sealed by then, oldest first. */
export function selectOpenParts(db: Db): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT generate_series((SELECT coalesce(max(part) + 1, 0) FROM company_day_part), ledger_part())`
}

/** Nothing is posted to a sealed part any more. To be asked before its postings are read. */
export const isSealed = (tx: Tx, part: bigint) =>
  queryValue<boolean>(tx)`SELECT EXISTS (SELECT FROM ledger_seal WHERE part = ${part})`

/** Sums a part again. What is in the archive alone is read there. */
export async function sumPart(tx: Tx, part: bigint, timeZone: string): Promise<void> {
  const isArchived = await queryValue<boolean>(
    tx,
  )`SELECT EXISTS (SELECT FROM archived_part WHERE part = ${part})`
  const postings = isArchived
    ? sql`SELECT kind, amount, at FROM archived_posting WHERE ${ofPart(part)}
        UNION ALL SELECT kind, amount, at FROM ledger_whole.archived WHERE ${ofPart(part)}`
    : sql`SELECT kind, amount, at FROM posting WHERE ${ofPart(part)}`
  await query(tx)`DELETE FROM company_day WHERE part = ${part}`
  await query(tx)`
    INSERT INTO company_day (day, kind, part, postings, amount)
    SELECT (at AT TIME ZONE ${timeZone})::date, kind, ${part}, count(*), sum(amount) FROM (${postings}) p GROUP BY 1, 2`
}

/** How many kinds of posting the sums of a sealed part and its seal disagree about. */
export function countUnlikeSeal(tx: Tx, part: bigint): Promise<number> {
  return queryValue<number>(tx)`
    SELECT count(*)::int FROM (SELECT kind, sum(postings) AS postings, sum(amount) AS amount FROM company_day WHERE part = ${part} GROUP BY kind) d
      FULL JOIN (SELECT kind, postings, amount FROM ledger_seal_sum WHERE part = ${part}) s USING (kind)
    WHERE d.postings IS DISTINCT FROM s.postings OR d.amount IS DISTINCT FROM s.amount`
}

export async function insertSummedPart(tx: Tx, part: bigint, at: Date): Promise<void> {
  await query(
    tx,
  )`INSERT INTO company_day_part (part, summed_at) VALUES (${part}, ${at}) ON CONFLICT DO NOTHING`
}

export type SummaryName = 'days' | 'unlocks' | 'growth' | 'fees'

export async function stampSummary(tx: Tx, name: SummaryName, asOf: Date): Promise<void> {
  await query(tx)`INSERT INTO company_summary (name, as_of) VALUES (${name}, ${asOf})
    ON CONFLICT (name) DO UPDATE SET as_of = excluded.as_of`
}

/** The most that a sum may take. */
export const allowMinutes = (tx: Tx) => query(tx)`SET LOCAL statement_timeout = '10min'`

/**
 * Principal by the week in which its member can withdraw it, each investment by its own term; a member counts in every week in which
 * something unlocks. A million members take some seconds: once an hour.
 */
export async function sumUnlocks(tx: Tx, now: Date, timeZone: string): Promise<void> {
  await query(tx)`DELETE FROM principal_unlock`
  await query(tx)`
    INSERT INTO principal_unlock (week, members, amount)
    SELECT CASE WHEN unlocks_at <= ${now} THEN '-infinity'::date ELSE date_trunc('week', unlocks_at AT TIME ZONE ${timeZone})::date END,
      count(DISTINCT member_id), sum(amount)
    FROM investment_left WHERE amount > 0 GROUP BY 1`
}

/** Who joined, and who invested for the first time, by day. Reads all members: once an hour. */
export async function sumGrowth(tx: Tx, timeZone: string): Promise<void> {
  await query(tx)`DELETE FROM company_growth`
  await query(tx)`
    INSERT INTO company_growth (day, members, investors)
    SELECT day, sum(members), sum(investors) FROM (
      SELECT (joined_at AT TIME ZONE ${timeZone})::date AS day, count(*) AS members, 0 AS investors FROM member GROUP BY 1
      UNION ALL SELECT (first AT TIME ZONE ${timeZone})::date, 0, count(*)
        FROM (SELECT min(credited_at) AS first FROM investment GROUP BY member_id) i GROUP BY 1) counted GROUP BY day`
}

/** What transfers cost, by day. A transfer is closed once and never opened again: the last days are summed again, those before stay. */
export async function sumFees(tx: Tx, timeZone: string): Promise<void> {
  const since = await queryValue<string>(
    tx,
  )`SELECT coalesce(max(day) - 2, '-infinity')::text FROM company_fee`
  await query(tx)`DELETE FROM company_fee WHERE day >= ${since}::date`
  await query(tx)`
    INSERT INTO company_fee (day, purpose, transfers, sun)
    SELECT (closed_at AT TIME ZONE ${timeZone})::date AS day, purpose, count(*), coalesce(sum(fee_sun), 0) FROM outgoing_transfer
    WHERE state IN ('settled', 'failed') AND closed_at >= (${since}::date::timestamp AT TIME ZONE ${timeZone}) GROUP BY 1, 2`
}
