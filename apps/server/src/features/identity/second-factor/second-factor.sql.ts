import type { DB, Db, Tx } from '@aval/db'
import type { Insertable } from 'kysely'
import { countOf, query } from '../../../core/query.sql.ts'

export interface StoredTotp {
  /** Sealed. */
  readonly secret: string
  readonly confirmed_at: Date | null
}

export function selectTotp(db: Db, memberId: bigint): Promise<StoredTotp | undefined> {
  return db
    .selectFrom('member_totp')
    .select(['secret', 'confirmed_at'])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
}

/** Replaces any other secret; `confirmed_at` is null until its first code was seen. */
export async function putTotp(tx: Tx, member_id: bigint, totp: StoredTotp & { made_at: Date }) {
  const fresh = { ...totp, last_step: 0n, last_use: null }
  await tx
    .insertInto('member_totp')
    .values({ member_id, ...fresh })
    .onConflict((conflict) => conflict.column('member_id').doUpdateSet(fresh))
    .execute()
}

export async function confirmTotp(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx.updateTable('member_totp').set({ confirmed_at: now }).where('member_id', '=', memberId).execute()
}

export async function deleteTotp(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('member_totp').where('member_id', '=', memberId).execute()
  await tx.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
}

/**
 * Uses a step up. False when it or a later one was used before; one statement, so of two at once one is refused. The step
 * used last passes again for the same call.
 * @param use the call's hash; null for a call that is never sent again
 */
export async function useStep(tx: Tx, memberId: bigint, step: bigint, use: string | null): Promise<boolean> {
  const rows = await query(tx)`
    UPDATE member_totp SET last_step = ${step}, last_use = ${use}
    WHERE member_id = ${memberId} AND (last_step < ${step} OR (last_step = ${step} AND last_use = ${use}))
    RETURNING member_id`
  return rows.length === 1
}

/** Counts a try in this place. @returns how many there were, and since when */
export async function countTry(
  tx: Tx,
  tried: { memberId: bigint; place: string; forgetBefore: Date },
  now: Date,
): Promise<{ tries: number; since: Date }> {
  const { memberId, place, forgetBefore } = tried
  const rows = await query<{ tries: number; since: Date }>(tx)`
    INSERT INTO otp_tries AS kept (member_id, place, since, tries) VALUES (${memberId}, ${place}, ${now}, 1)
    ON CONFLICT (member_id, place) DO UPDATE SET
      tries = CASE WHEN kept.since <= ${forgetBefore} THEN 1 ELSE kept.tries + 1 END,
      since = CASE WHEN kept.since <= ${forgetBefore} THEN ${now} ELSE kept.since END
    RETURNING tries, since`
  const [row] = rows
  if (row === undefined) throw new Error('a try was not counted')
  return row
}

/** A right code is not counted: takes this one try back. */
export async function uncountTry(tx: Tx, memberId: bigint, place: string): Promise<void> {
  await query(tx)`UPDATE otp_tries SET tries = greatest(tries - 1, 0)
    WHERE member_id = ${memberId} AND place = ${place}`
}

export async function insertRecoveryCodes(tx: Tx, memberId: bigint, salt: string, hashes: readonly string[]) {
  await tx.deleteFrom('recovery_code').where('member_id', '=', memberId).execute()
  await tx
    .insertInto('recovery_code')
    .values(hashes.map((hash) => ({ member_id: memberId, hash, salt })))
    .execute()
}

/** With what a member's codes are hashed; null where there are none. */
export async function selectRecoverySalt(db: Db, memberId: bigint): Promise<string | null> {
  const salts = db.selectFrom('recovery_code').select('salt').where('member_id', '=', memberId).limit(1)
  return (await salts.executeTakeFirst())?.salt ?? null
}

/** False when there is no such code, or it was used before. */
export async function useRecoveryCode(tx: Tx, memberId: bigint, hash: string, now: Date): Promise<boolean> {
  const rows = await tx
    .updateTable('recovery_code')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('hash', '=', hash)
    .where('used_at', 'is', null)
    .returning('member_id')
    .execute()
  return rows.length === 1
}

export async function countRecoveryCodes(db: Db, memberId: bigint): Promise<number> {
  return countOf(db)`recovery_code WHERE member_id = ${memberId} AND used_at IS NULL`
}

export async function insertChallenge(tx: Tx, challenge: Insertable<DB['otp_challenge']>): Promise<void> {
  await tx.insertInto('otp_challenge').values(challenge).execute()
}

/** Counts a try of a challenge. @returns its member; null when it has no tries left, has expired, or does not exist */
export async function tryChallenge(tx: Tx, tokenHash: string, limit: number, now: Date) {
  const rows = await query<{ member_id: bigint }>(tx)`
    UPDATE otp_challenge SET tries = tries + 1
    WHERE token_hash = ${tokenHash} AND tries < ${limit} AND expires_at > ${now}
    RETURNING member_id`
  return rows[0]?.member_id ?? null
}

/** The member of a challenge; null when it has no tries left, has expired, or does not exist. */
export async function selectChallenged(db: Db, tokenHash: string, limit: number, now: Date) {
  const challenges = db.selectFrom('otp_challenge').select('member_id').where('token_hash', '=', tokenHash)
  const live = challenges.where('tries', '<', limit).where('expires_at', '>', now)
  return (await live.executeTakeFirst())?.member_id ?? null
}

export async function deleteChallenge(tx: Tx, tokenHash: string): Promise<void> {
  await tx.deleteFrom('otp_challenge').where('token_hash', '=', tokenHash).execute()
}

/** Deletes expired challenges, and counts of tries that no longer matter. */
export async function deleteOldTries(db: Db, now: Date, forgetBefore: Date): Promise<void> {
  await db.deleteFrom('otp_challenge').where('expires_at', '<', now).execute()
  await db.deleteFrom('otp_tries').where('since', '<', forgetBefore).execute()
}

/** Whether the second factor was turned on with this security event or after it. */
export async function wasTurnedOnSince(db: Db, memberId: bigint, event: bigint): Promise<boolean> {
  const rows = await query(db)`
    SELECT FROM member_totp t WHERE t.member_id = ${memberId} AND t.confirmed_at IS NOT NULL AND EXISTS (
      SELECT FROM security_event e WHERE e.member_id = ${memberId} AND e.id >= ${event} AND e.kind = 'two_factor_on')`
  return rows.length === 1
}

/** Ends sign-ins that still wait for a code. */
export async function deleteChallengesOf(tx: Tx, memberId: bigint): Promise<void> {
  await tx.deleteFrom('otp_challenge').where('member_id', '=', memberId).execute()
}
