import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { StoredCode } from './email-codes.rules.ts'

export type CodePurpose = 'withdrawal' | 'profile' | 'reset'

export interface NewCode {
  readonly memberId: bigint
  readonly purpose: CodePurpose
  readonly hash: string
  readonly binding: string
  readonly sessionId: string | null
  readonly device: string
  readonly madeAt: Date
  readonly expiresAt: Date
}

/** Replaces the member's code of this purpose, live or not. */
export async function upsertCode(tx: Tx, code: NewCode): Promise<void> {
  const row = {
    hash: code.hash,
    binding: code.binding,
    session_id: code.sessionId,
    device: code.device,
    made_at: code.madeAt,
    expires_at: code.expiresAt,
    wrong_tries: 0,
    used_at: null,
  }
  await tx
    .insertInto('email_code')
    .values({ member_id: code.memberId, purpose: code.purpose, ...row })
    .onConflict((conflict) => conflict.columns(['member_id', 'purpose']).doUpdateSet(row))
    .execute()
}

/** Every use of a code holds this lock. */
export async function lockCode(
  tx: Tx,
  memberId: bigint,
  purpose: CodePurpose,
): Promise<(StoredCode & { readonly hash: string; readonly madeAt: Date }) | undefined> {
  const row = await tx
    .selectFrom('email_code')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('purpose', '=', purpose)
    .forUpdate()
    .executeTakeFirst()
  if (row === undefined) return undefined
  return {
    hash: row.hash,
    binding: row.binding,
    sessionId: row.session_id,
    device: row.device,
    madeAt: row.made_at,
    expiresAt: row.expires_at,
    wrongTries: row.wrong_tries,
    usedAt: row.used_at,
  }
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
export async function markCodesUsed(
  tx: Tx,
  memberId: bigint,
  purpose: CodePurpose | null,
  now: Date,
): Promise<void> {
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
