import type { DB, Db, Tx } from '@aval/db'
import type { Insertable } from 'kysely'
import { countOf, queryValue } from '../../../core/query.sql.ts'

export type Purpose = 'enrol' | 'sign_in' | 'second_factor'

export async function insertChallenge(db: Db, challenge: Insertable<DB['passkey_challenge']>): Promise<void> {
  await db.insertInto('passkey_challenge').values(challenge).execute()
}

/** Takes a challenge: of two answers to it one gets it. Undefined where there is none of that hash. */
export function takeChallenge(tx: Tx, hash: string) {
  return tx
    .deleteFrom('passkey_challenge')
    .where('hash', '=', hash)
    .returning(['purpose', 'member_id', 'expires_at'])
    .executeTakeFirst()
}

export async function deleteExpiredChallenges(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('passkey_challenge').where('expires_at', '<', now).execute()
}

/** Oldest first. */
export function selectPasskeys(db: Db, memberId: bigint) {
  return db
    .selectFrom('passkey')
    .select(['credential_id', 'name', 'transports', 'made_at', 'used_at'])
    .where('member_id', '=', memberId)
    .orderBy('made_at')
    .orderBy('credential_id')
    .execute()
}

/** Whether a member's key is this passkey: the one that counts, or one that waits. */
export async function selectIsPinned(db: Db, memberId: bigint, credentialId: string): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT EXISTS (SELECT FROM member_key k WHERE k.member_id = ${memberId} AND k.credential_id = ${credentialId} AND (k.state = 'submitted'
      OR (k.state = 'sealed' AND NOT EXISTS (SELECT FROM member_key l WHERE l.member_id = k.member_id AND l.state = 'sealed' AND l.version > k.version))))`
}

/** What a passkey's hash is made of, oldest first. */
export function selectPublicKeys(db: Db, memberId: bigint) {
  return db
    .selectFrom('passkey')
    .select(['credential_id', 'name', 'public_key', 'algorithm'])
    .where('member_id', '=', memberId)
    .orderBy('made_at')
    .orderBy('credential_id')
    .execute()
}

export async function countPasskeys(db: Db, memberId: bigint): Promise<number> {
  return countOf(db)`passkey WHERE member_id = ${memberId}`
}

/** Two answers of one passkey are verified one after the other, so that its counter is. */
export function lockPasskey(tx: Tx, memberId: bigint, credentialId: string) {
  return tx
    .selectFrom('passkey')
    .select(['public_key', 'algorithm', 'counter'])
    .where('member_id', '=', memberId)
    .where('credential_id', '=', credentialId)
    .forUpdate()
    .executeTakeFirst()
}

/** Whose a passkey is or was; null for nobody's. */
export async function selectOwner(db: Db, credentialId: string): Promise<bigint | null> {
  const owners = db.selectFrom('passkey_owner').select('member_id').where('credential_id', '=', credentialId)
  return (await owners.executeTakeFirst())?.member_id ?? null
}

/** False where the credential is, or was, somebody's passkey. */
export async function claimCredential(tx: Tx, memberId: bigint, credentialId: string): Promise<boolean> {
  const rows = await tx
    .insertInto('passkey_owner')
    .values({ member_id: memberId, credential_id: credentialId })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returning('credential_id')
    .execute()
  return rows.length === 1
}

export async function insertPasskey(tx: Tx, passkey: Insertable<DB['passkey']>): Promise<void> {
  await tx.insertInto('passkey').values(passkey).execute()
}

/** False where there is no such passkey. */
export async function updatePasskey(
  db: Db,
  memberId: bigint,
  credentialId: string,
  row: { readonly name: string } | { readonly counter: bigint; readonly used_at: Date },
): Promise<boolean> {
  const rows = await db
    .updateTable('passkey')
    .set(row)
    .where('member_id', '=', memberId)
    .where('credential_id', '=', credentialId)
    .returning('credential_id')
    .execute()
  return rows.length === 1
}

/** @returns its name; null where there is none */
export async function deletePasskey(tx: Tx, memberId: bigint, credentialId: string): Promise<string | null> {
  const deleted = await tx
    .deleteFrom('passkey')
    .where('member_id', '=', memberId)
    .where('credential_id', '=', credentialId)
    .returning('name')
    .executeTakeFirst()
  return deleted?.name ?? null
}

/** @returns how many there were */
export async function deletePasskeysMadeSince(tx: Tx, memberId: bigint, since: Date): Promise<number> {
  const rows = await tx
    .deleteFrom('passkey')
    .where('member_id', '=', memberId)
    .where('made_at', '>=', since)
    .returning('credential_id')
    .execute()
  return rows.length
}
