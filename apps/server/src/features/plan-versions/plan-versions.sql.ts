import type { Db, Tx } from '@aval/db'
import { query, queryValue } from '../../core/query.sql.ts'

/** Until this transaction ends, the only one that numbers a version; answers the number after the last. */
export async function drawVersion(tx: Tx): Promise<number> {
  await query(tx)`SELECT hold_lock('plan version')`
  return queryValue<number>(tx)`SELECT coalesce(max(version), 0) + 1 FROM plan_version`
}

export async function insertPlan(db: Db, plan: { version: number; starts_at: Date; document: string }) {
  await db
    .insertInto('plan_version')
    .values(plan)
    .onConflict((c) => c.doNothing())
    .execute()
}
