import type { Db } from '@aval/db'
import { sql } from 'kysely'

/** Answers when the database does. */
export async function pingDatabase(db: Db): Promise<void> {
  await sql`SELECT 1`.execute(db)
}
