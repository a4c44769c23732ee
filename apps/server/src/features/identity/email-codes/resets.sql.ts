import type { DB, Db, Tx } from '@aval/db'
import type { Insertable } from 'kysely'
import { query } from '../../../core/query.sql.ts'
import type { StoredReset } from './resets.rules.ts'

export interface KeptReset extends StoredReset {
  readonly id: bigint
  readonly requestedAt: Date
  readonly codeHash: string
}

export async function insertReset(tx: Tx, reset: Insertable<DB['password_reset']>): Promise<void> {
  await tx.insertInto('password_reset').values(reset).execute()
}

/** A member's resets that were sent to the present e-mail since an instant, oldest first. Every try of a code holds their locks. */
export function lockResets(tx: Tx, memberId: bigint, since: Date): Promise<KeptReset[]> {
  return tx
    .selectFrom('password_reset')
    .select(['id', 'requested_at as requestedAt', 'code_hash as codeHash', 'made_at as madeAt'])
    .select(['expires_at as expiresAt', 'wrong_tries as wrongTries', 'used_at as usedAt'])
    .where('member_id', '=', memberId)
    .where('made_at', '>', since)
    .where('sent_to', '=', ({ selectFrom }) =>
      selectFrom('member').select('email').where('id', '=', memberId),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Asks the database even where there are none, so that it takes as long. */
export async function countWrongTries(tx: Tx, memberId: bigint, ids: readonly bigint[]): Promise<void> {
  await query(tx)`UPDATE password_reset SET wrong_tries = wrong_tries + 1
    WHERE member_id = ${memberId} AND id = ANY(${ids.map(String)}::bigint[])`
}

/** Whose link it is, live or not; null when there is none. */
export async function selectLinkOwner(db: Db, linkHash: string): Promise<bigint | null> {
  const links = db.selectFrom('password_reset').select('member_id').where('link_hash', '=', linkHash)
  return (await links.executeTakeFirst())?.member_id ?? null
}

/** Uses up a member's live link that was sent to the present e-mail. @returns false when there is none */
export async function useLink(tx: Tx, memberId: bigint, linkHash: string, now: Date): Promise<boolean> {
  const used = await query(tx)`UPDATE password_reset SET used_at = ${now}
    WHERE member_id = ${memberId} AND link_hash = ${linkHash} AND used_at IS NULL AND expires_at > ${now}
      AND sent_to = (SELECT email FROM member WHERE id = password_reset.member_id) RETURNING id`
  return used.length > 0
}

/** Ends all resets of a member, codes and links. */
export async function markResetsUsed(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('password_reset')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('used_at', 'is', null)
    .execute()
}

export async function deleteResetsExpiredBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('password_reset').where('expires_at', '<', instant).execute()
}
