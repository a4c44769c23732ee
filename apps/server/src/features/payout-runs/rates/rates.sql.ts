import type { Db } from '@aval/db'
import { sql } from 'kysely'

export interface StoredRate {
  readonly day: string
  readonly percentage: string
  readonly declared_by: string | null
  readonly declared_at: Date
}

/** What was said last about each day, newest day first. */
export async function selectDeclaredDays(
  db: Db,
  limit: number,
  offset: number,
): Promise<{ rows: StoredRate[]; count: number }> {
  const { rows } = await sql<StoredRate>`
    SELECT d.day, d.percentage, m.username AS declared_by, d.declared_at
    FROM (SELECT DISTINCT ON (day) day, percentage, declared_by, declared_at FROM declared_rate
      ORDER BY day DESC, id DESC LIMIT ${limit} OFFSET ${offset}) d LEFT JOIN member m ON m.id = d.declared_by
    ORDER BY d.day DESC`.execute(db)
  const total = await sql<{ count: number }>`
    SELECT count(DISTINCT day)::int AS count FROM declared_rate`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}
