/** Whether the database is what its migrations made of it. */
import type { Db } from '@aval/db'
import { expectedCatalog, readCatalog } from '@aval/db/catalog'
import { compareCatalog } from './integrity.rules.ts'

/** Reads the catalog as of the caller's transaction. Any role may. */
export async function findDifferences(tx: Db): Promise<string[]> {
  return compareCatalog(await readCatalog(tx), await expectedCatalog())
}

export interface Integrity {
  /** Null before the first comparison. */
  readonly checkedAt: Date | null
  readonly differences: readonly string[]
}

/** The last comparison. */
export async function readIntegrity(db: Db): Promise<Integrity> {
  const row = await db
    .selectFrom('integrity_check')
    .select(['confirmed_at', 'differences'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return { checkedAt: row?.confirmed_at ?? null, differences: row?.differences ?? [] }
}
