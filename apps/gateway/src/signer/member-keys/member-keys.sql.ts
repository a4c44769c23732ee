import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'
import type { Head } from '../journal/entries.rules.ts'
import type { StoredMemberKey, StoredWithdrawalProof } from './member-keys.rules.ts'

const COLUMNS =
  sql.raw(`member_id AS "memberId", version, kind, credential_id AS "credentialId", algorithm, public_key AS "publicKey",
  key_hash AS "keyHash", proof, expires_at AS "expiresAt", nonce, state`)

/** One version of a member's key, whatever its state. */
export async function findMemberKey(
  db: Db,
  memberId: bigint,
  version: number,
): Promise<StoredMemberKey | null> {
  const { rows } = await sql<StoredMemberKey>`
    SELECT ${COLUMNS} FROM member_key WHERE member_id = ${memberId} AND version = ${version}`.execute(db)
  return rows[0] ?? null
}

/** What waits: what the signer decides alone first, in its order. */
export async function findSubmittedKeys(db: Db, limit: number): Promise<StoredMemberKey[]> {
  const { rows } = await sql<StoredMemberKey>`
    SELECT ${COLUMNS} FROM member_key WHERE state = 'submitted'
    ORDER BY kind = 'recovered', submitted_at, member_id LIMIT ${limit}`.execute(db)
  return rows
}

/** Approvals of decisions about a member's key, of which the database says that they were accepted. */
export async function findKeyApprovals(db: Db, memberId: bigint): Promise<{ id: bigint; nonce: string }[]> {
  const { rows } = await sql<{ id: bigint; nonce: string }>`
    SELECT a.id, a.nonce FROM decision d JOIN approval_decision r ON r.decision_id = d.id JOIN approval a ON a.id = r.approval_id
    WHERE d.subject = ${`member_key:${memberId}`} AND a.state = 'accepted' ORDER BY a.id DESC LIMIT 100`.execute(
    db,
  )
  return rows
}

export async function findWithdrawalProof(
  db: Db,
  memberId: bigint,
  withdrawalId: bigint,
): Promise<StoredWithdrawalProof | null> {
  const { rows } = await sql<StoredWithdrawalProof>`
    SELECT proof, expires_at AS "expiresAt", nonce FROM withdrawal_proof
    WHERE member_id = ${memberId} AND withdrawal_id = ${withdrawalId}`.execute(db)
  return rows[0] ?? null
}

/** The journal's end is remembered with it. @returns whether the row says so now */
export async function sealMemberKey(
  db: Db,
  memberId: bigint,
  version: number,
  usable: Date,
  head: Head,
): Promise<boolean> {
  const { rows } = await sql<{ sealed: boolean }>`
    SELECT seal_member_key(${memberId}, ${version}, ${usable}) AS sealed, remember_journal(${head.sequence}, ${head.hash})`.execute(
    db,
  )
  return rows[0]?.sealed === true
}

export async function refuseMemberKey(
  db: Db,
  memberId: bigint,
  version: number,
  code: string,
): Promise<void> {
  await sql`SELECT refuse_member_key(${memberId}, ${version}, ${code})`.execute(db)
}
