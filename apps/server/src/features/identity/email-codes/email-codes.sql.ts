import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, sql } from 'kysely'

export type CodePurpose = 'withdrawal' | 'profile' | 'email' | 'correction'

/** Replaces the member's code of this purpose, live or not. */
export async function upsertCode(tx: Tx, code: Insertable<DB['email_code']>): Promise<void> {
  const { member_id: _member, purpose: _purpose, ...row } = code
  await tx
    .insertInto('email_code')
    .values(code)
    .onConflict((conflict) =>
      conflict.columns(['member_id', 'purpose']).doUpdateSet({ ...row, wrong_tries: 0, used_at: null }),
    )
    .execute()
}

/** Every use of a code holds this lock. */
export function lockCode(tx: Tx, memberId: bigint, purpose: CodePurpose) {
  return tx
    .selectFrom('email_code')
    .select(['hash', 'binding', 'sent_to as sentTo', 'made_at as madeAt'])
    .select(['expires_at as expiresAt', 'wrong_tries as wrongTries', 'used_at as usedAt'])
    .where('member_id', '=', memberId)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst()
}

export async function countWrongTry(tx: Tx, memberId: bigint, purpose: CodePurpose): Promise<void> {
  await tx
    .updateTable('email_code')
    .set({ wrong_tries: sql<number>`wrong_tries + 1` })
    .where('member_id', '=', memberId)
    .where('purpose', '=', purpose)
    .execute()
}

/** @param purpose null for every purpose */
export async function markCodesUsed(tx: Tx, memberId: bigint, purpose: CodePurpose | null, now: Date) {
  let query = tx
    .updateTable('email_code')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
  if (purpose !== null) query = query.where('purpose', '=', purpose)
  await query.execute()
}

/** Deletes codes that expired before an instant. */
export async function deleteCodesExpiredBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('email_code').where('expires_at', '<', instant).execute()
}
