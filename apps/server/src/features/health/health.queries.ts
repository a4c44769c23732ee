import type { Db } from '@aval/db'
import { query } from '../../core/query.sql.ts'

/** Resolves when this process can serve. @throws what the database's driver throws when it cannot. */
export async function ensureReady(db: Db): Promise<void> {
  await query(db)`SELECT 1`
}
