import type { Db } from '@aval/db'
import { sql } from 'kysely'

/** Resolves when this process can serve. @throws what the database's driver throws when it cannot. */
export async function ensureReady(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db)
}
