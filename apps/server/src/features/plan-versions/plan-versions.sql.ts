import { type Db, prepared, type Tx } from '@aval/db'
import { sql } from 'kysely'

/** More versions than a company writes in its life. */
const MOST_VERSIONS = 500

/** Newest first, with the first instant of each. */
export function selectPlans(db: Db) {
  return db
    .selectFrom('plan_version')
    .select(['version', 'starts_at', 'document'])
    .orderBy('version', 'desc')
    .limit(MOST_VERSIONS)
    .execute()
}

/** Until this transaction ends, the only one that numbers a version; answers the number after the last. */
export async function drawVersion(tx: Tx): Promise<number> {
  await sql`SELECT pg_advisory_xact_lock(7204)`.execute(tx)
  const { rows } = await sql<{ version: number }>`
    SELECT coalesce(max(version), 0) + 1 AS version FROM plan_version`.execute(tx)
  if (rows[0] === undefined) throw new Error('the last version answered nothing')
  return rows[0].version
}

export function selectPlanAt(db: Db, at: Date) {
  return db
    .selectFrom('plan_version')
    .modifyFront(prepared)
    .select(['version', 'document'])
    .where('starts_at', '<=', at)
    .orderBy('starts_at', 'desc')
    .orderBy('version', 'desc')
    .executeTakeFirst()
}

export function selectPlanVersion(db: Db, version: number) {
  return db
    .selectFrom('plan_version')
    .select(['version', 'document'])
    .where('version', '=', version)
    .executeTakeFirstOrThrow()
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
