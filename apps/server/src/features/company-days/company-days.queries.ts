/** Reads what the jobs of this feature keep. Rows grow with days and kinds alone: ninety days are some two thousand. */
import type { Db } from '@aval/db'
import { query, queryFirst } from '../../core/query.sql.ts'

export interface DayOfKind {
  readonly day: string
  readonly kind: string
  readonly amount: bigint
}

/** By day and kind, from a day on, newest first. */
export function daysSince(db: Db, from: string): Promise<DayOfKind[]> {
  return query<DayOfKind>(db)`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, kind::text AS kind, sum(amount)::bigint AS amount FROM company_day
    WHERE day >= ${from}::date GROUP BY company_day.day, company_day.kind ORDER BY company_day.day DESC`
}

export interface Unlock {
  /** Null: it can be withdrawn already. */
  readonly week: string | null
  readonly members: bigint
  readonly amount: bigint
}

export function unlocks(db: Db): Promise<Unlock[]> {
  return query<Unlock>(db)`
    SELECT CASE WHEN isfinite(week) THEN to_char(week, 'YYYY-MM-DD') END AS week, members, amount FROM principal_unlock ORDER BY principal_unlock.week`
}

export interface Joined {
  readonly day: string
  readonly members: bigint
  readonly investors: bigint
}

/** Who joined by day, from a day on, oldest first; and all there are. */
export async function growthSince(db: Db, from: string) {
  const days = await query<Joined>(db)`
    SELECT to_char(day, 'YYYY-MM-DD') AS day, members, investors FROM company_growth WHERE day >= ${from}::date ORDER BY company_growth.day`
  const all = await queryFirst<Omit<Joined, 'day'>>(db)`
    SELECT coalesce(sum(members), 0)::bigint AS members, coalesce(sum(investors), 0)::bigint AS investors FROM company_growth`
  return { days, members: all?.members ?? 0n, investors: all?.investors ?? 0n }
}

/** What transfers cost since a day, by purpose. */
export function feesSince(db: Db, from: string) {
  return query<{ purpose: 'withdrawal' | 'sweep' | 'trx_topup' | 'surplus'; transfers: number; sun: bigint }>(
    db,
  )`
    SELECT purpose, sum(transfers)::int AS transfers, sum(sun)::bigint AS sun FROM company_fee WHERE day >= ${from}::date
    GROUP BY purpose ORDER BY purpose`
}

/** As of when each sum is. */
export async function summariesAsOf(db: Db): Promise<ReadonlyMap<string, Date>> {
  const rows = await db.selectFrom('company_summary').select(['name', 'as_of']).execute()
  return new Map(rows.map(({ name, as_of }) => [name, as_of]))
}
