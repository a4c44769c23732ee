import type { Database } from '@aval/db'

/** The network this database belongs to; null while it is new. */
export async function selectNetwork(db: Database): Promise<string | null> {
  const row = await db.selectFrom('installation').select('network').executeTakeFirst()
  return row?.network ?? null
}
