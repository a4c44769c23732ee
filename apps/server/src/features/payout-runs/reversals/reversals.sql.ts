import type { DB, Db, Tx } from '@aval/db'
import type { Insertable } from 'kysely'
import { countOf } from '../../../core/query.sql.ts'

export async function insertReversal(tx: Tx, reversal: Insertable<DB['reversal']>): Promise<bigint | null> {
  const row = await tx
    .insertInto('reversal')
    .values(reversal)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function insertPart(tx: Tx, part: Insertable<DB['reversal_part']>): Promise<void> {
  await tx.insertInto('reversal_part').values(part).execute()
}

/** How often reversals took something back from the member. */
export async function countParts(db: Db, memberId: bigint): Promise<number> {
  return countOf(db)`reversal_part WHERE member_id = ${memberId}`
}
