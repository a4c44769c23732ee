import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

/** Until this transaction ends, the only one that numbers a version; answers the number after the last. */
export async function drawVersion(tx: Tx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(7204)`.execute(tx)
  const { rows } = await sql<{ version: number }>`
    SELECT coalesce(max(version), 0) + 1 AS version FROM plan_version`.execute(tx)
  if (rows[0] === undefined) throw new Error('the last version answered nothing')
  return rows[0].version
}

export async function insertPlan(
  db: Db,
  plan: { version: number; starts_at: Date; document: string },
): Promise<void> {
  await db
    .insertInto('plan_version')
    .values(plan)
    .onConflict((c) => c.doNothing())
    .execute()
}
