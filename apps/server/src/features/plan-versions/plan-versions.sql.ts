import type { Db } from '@aval/db'
import { query } from '../../core/query.sql.ts'

/** Does nothing where there is a plan. */
export async function insertFirstPlan(db: Db, document: string): Promise<void> {
  await query(db)`SELECT store_first_plan(${document}::jsonb)`
}
