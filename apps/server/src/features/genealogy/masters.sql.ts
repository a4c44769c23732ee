import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export async function selectIsFundator(db: Db, memberId: bigint): Promise<boolean> {
  const row = await db
    .selectFrom('member')
    .select('is_fundator')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.is_fundator
}

/** Undefined when the member introduced nobody by that number. */
export function selectReferral(db: Db, sponsorId: bigint, memberId: bigint) {
  return db
    .selectFrom('sponsorship')
    .select('is_master')
    .where('member_id', '=', memberId)
    .where('sponsor_id', '=', sponsorId)
    .executeTakeFirst()
}

export async function countMasters(db: Db, sponsorId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM master_code WHERE sponsor_id = ${sponsorId}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Numbered in the order of history: the period must be held open before. */
export async function insertMaster(tx: Tx, memberId: bigint, sponsorId: bigint, at: Date): Promise<void> {
  await tx.insertInto('master_code').values({ member_id: memberId, sponsor_id: sponsorId, at }).execute()
  await tx.updateTable('sponsorship').set({ is_master: true }).where('member_id', '=', memberId).execute()
}
