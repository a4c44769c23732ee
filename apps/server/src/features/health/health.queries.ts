import type { Db } from '@aval/db'
import { pingDatabase } from './health.sql.ts'

/** Resolves when this process can serve. @throws what the database's driver throws when it cannot. */
export async function ensureReady(db: Db): Promise<void> {
  await pingDatabase(db)
}
