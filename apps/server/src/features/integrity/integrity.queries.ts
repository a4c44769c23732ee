/** Whether the database is what its migrations made of it. */
import type { Db } from '@aval/db'
import { expectedCatalog, readCatalog } from '@aval/db/catalog'
import { queryColumn } from '../../core/query.sql.ts'
import { compareCatalog } from './integrity.rules.ts'

/** Where the next partition is missing, writing will fail: payments stop while there is time, and operators hear of it. */
async function findShort(tx: Db): Promise<string[]> {
  const tables = await queryColumn<string>(tx)`SELECT partitions_short()`
  return tables.map((table) => `partitions of public.${table}: none is ready after the one in use`)
}

/** Reads the catalog as of the caller's transaction. */
export async function findDifferences(tx: Db): Promise<string[]> {
  return [...compareCatalog(await readCatalog(tx), await expectedCatalog()), ...(await findShort(tx))]
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
