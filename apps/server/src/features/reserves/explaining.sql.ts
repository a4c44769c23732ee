import type { DB, Tx } from '@aval/db'
import type { Insertable } from 'kysely'

/** The address's holding follows by a trigger. */
export async function insertAdjustment(
  tx: Tx,
  adjustment: Insertable<DB['custody_adjustment']>,
): Promise<void> {
  await tx.insertInto('custody_adjustment').values(adjustment).execute()
}
