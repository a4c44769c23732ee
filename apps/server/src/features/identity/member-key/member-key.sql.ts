import type { MemberKeyKind } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { query, queryFirst, queryValue } from '../../../core/query.sql.ts'
import type { Algorithm } from '../passkeys/passkeys.rules.ts'

export interface KeyRow {
  readonly version: number
  readonly kind: MemberKeyKind
  readonly state: 'submitted' | 'sealed' | 'refused'
  readonly credential_id: string | null
  readonly algorithm: Algorithm | null
  readonly public_key: string | null
  readonly submitted_at: Date
  readonly expires_at: Date
  readonly usable_from: Date | null
  readonly refusal: string | null
}

/** The newest key that the signer sealed, and the newest of all, which may be the same; undefined where there never was one. */
export async function selectKeys(db: Db, memberId: bigint) {
  const newest = await queryFirst<KeyRow>(db)`
    SELECT version, kind, state, credential_id, algorithm, public_key, submitted_at, expires_at, usable_from, refusal
    FROM member_key WHERE member_id = ${memberId} ORDER BY version DESC LIMIT 1`
  if (newest === undefined || newest.state === 'sealed') return { newest, sealed: newest }
  const sealed = await queryFirst<KeyRow>(db)`
    SELECT version, kind, state, credential_id, algorithm, public_key, submitted_at, expires_at, usable_from, refusal
    FROM member_key WHERE member_id = ${memberId} AND state = 'sealed' ORDER BY version DESC LIMIT 1`
  return { newest, sealed }
}

/** About which it is decided, and whom to tell. */
export interface DecidedKey {
  readonly memberId: bigint
  readonly version: number
  readonly kind: MemberKeyKind
  readonly refusal: string | null
  readonly decidedAt: Date
  readonly usableFrom: Date | null
  readonly username: string
  readonly email: string
  readonly locale: string
}

/** Keys that were decided about since a moment, and of which the member was not told. What members took back themselves is none. */
export async function selectUnannounced(db: Db, since: Date, limit: number): Promise<DecidedKey[]> {
  return query<DecidedKey>(db)`
    SELECT k.member_id AS "memberId", k.version, k.kind, k.refusal, k.decided_at AS "decidedAt", k.usable_from AS "usableFrom",
      m.username, m.email, m.locale
    FROM member_key k JOIN member m ON m.id = k.member_id
    WHERE k.state <> 'submitted' AND k.decided_at > ${since} AND k.refusal IS DISTINCT FROM 'cancelled'
      AND NOT EXISTS (SELECT FROM mail_message s WHERE s.member_id = k.member_id AND s.event = 'member_key:' || k.version || ':decided')
    ORDER BY k.decided_at LIMIT ${limit}`
}

export async function selectHasOpenWithdrawals(db: Db, memberId: bigint): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT EXISTS (SELECT FROM withdrawal WHERE member_id = ${memberId} AND state IN ('requested', 'approved'))`
}

export async function selectNetwork(db: Db): Promise<string> {
  return queryValue<string>(db)`SELECT network FROM installation`
}

/** A proof as the signer reads it. */
export interface StoredProof {
  readonly kind: 'passkey'
  readonly credential_id: string
  readonly client_data: string
  readonly authenticator_data: string
  readonly signature: string
}

export interface SubmittedKey {
  readonly memberId: bigint
  readonly version: number
  readonly kind: MemberKeyKind
  readonly key: {
    readonly credentialId: string
    readonly algorithm: number
    readonly publicKey: string
  } | null
  readonly hash: string
  readonly proof: StoredProof
  readonly expiresAt: Date
  readonly nonce: string
}

/** Stores a change for the signer to decide about. */
export async function submitKey(tx: Tx, row: SubmittedKey): Promise<void> {
  const { credentialId = null, algorithm = null, publicKey = null } = row.key ?? {}
  await query(tx)`
    SELECT submit_member_key(${row.memberId}, ${row.version}, ${row.kind}, ${credentialId}, ${algorithm}::integer, ${publicKey},
      ${row.hash}, ${JSON.stringify(row.proof)}::jsonb, ${row.expiresAt}, ${row.nonce})`
}

/** False where nothing waits for operators. */
export async function cancelKey(tx: Tx, memberId: bigint): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT cancel_member_key(${memberId})`
}

/** Uses up the nonce of what nothing else is stored of. */
export async function spendNonce(tx: Tx, memberId: bigint, nonce: string): Promise<void> {
  await query(tx)`SELECT use_member_nonce(${memberId}, ${nonce})`
}
