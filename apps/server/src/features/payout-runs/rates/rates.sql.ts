import type { Db, Tx } from '@aval/db'
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

/** The rate declared for a day; the last one counts. */
export async function selectDeclared(
  db: Db,
  day: string,
): Promise<{ id: bigint; percentage: string } | undefined> {
  const { rows } = await sql<{ id: bigint; percentage: string }>`
    SELECT id, percentage FROM declared_rate WHERE day = ${day} ORDER BY id DESC LIMIT 1`.execute(db)
  return rows[0]
}

export async function selectDeclaredById(db: Db, id: bigint): Promise<string | null> {
  const { rows } = await sql<{
    percentage: string
  }>`SELECT percentage FROM declared_rate WHERE id = ${id}`.execute(db)
  return rows[0]?.percentage ?? null
}

export async function insertDeclared(
  tx: Tx,
  declared: { day: string; percentage: string; operatorId: bigint; now: Date },
): Promise<void> {
  await sql`INSERT INTO declared_rate (day, percentage, declared_by, declared_at)
    VALUES (${declared.day}, ${declared.percentage}, ${declared.operatorId}, ${declared.now})`.execute(tx)
}
