/** Transfers that are signed on another machine. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { StoredTransfer } from './import.rules.ts'

export interface UnsignedOffline {
  readonly txid: string
  readonly raw: Uint8Array
  readonly to: string
  readonly amount: bigint
  readonly withdrawalId: bigint
  readonly memberId: bigint
  /** What the member asked for, with its fee. */
  readonly asked: bigint
  readonly fee: bigint
  /** Of a member whose passkey alone moves money; null for everybody else. */
  readonly memberKey: {
    readonly version: number
    readonly credential_id: string
    readonly algorithm: number
    readonly public_key: string
    readonly proof: unknown
    readonly expires_at: Date | null
    readonly nonce: string | null
  } | null
}

/** Approvals of withdrawals that wait for a machine without a network: the function takes no others. */
export async function takeOfflineApprovals(db: Db): Promise<void> {
  await sql`
    SELECT take_offline_approval(id) FROM approval
    WHERE state = 'submitted' AND purpose = 'withdrawals' AND expires_at > submitted_at + interval '11 minutes'
    ORDER BY id LIMIT 200`.execute(db)
}

export interface StoredApproval {
  readonly id: bigint
  readonly operatorId: bigint
  readonly network: string
  readonly purpose: string
  readonly expiresAt: Date
  readonly nonce: string
  readonly root: string
  readonly proof: unknown
}

export interface StoredApprovalRow {
  readonly withdrawalId: bigint
  readonly memberId: bigint
  readonly amount: bigint
  readonly fee: bigint
  readonly wallet: string
}

/** What was accepted of these withdrawals. */
export async function findApprovalsFor(db: Db, withdrawalIds: readonly bigint[]): Promise<StoredApproval[]> {
  const { rows } = await sql<StoredApproval>`
    SELECT id, operator_id AS "operatorId", network, purpose, expires_at AS "expiresAt", nonce, root, proof FROM approval a
    WHERE state = 'accepted' AND EXISTS (SELECT FROM approval_row r WHERE r.approval_id = a.id AND r.withdrawal_id = ANY(${withdrawalIds}))
    ORDER BY id`.execute(db)
  return rows
}

export async function findApprovalRows(db: Db, id: bigint): Promise<StoredApprovalRow[]> {
  const { rows } = await sql<StoredApprovalRow>`
    SELECT withdrawal_id AS "withdrawalId", member_id AS "memberId", amount, fee, wallet_address AS wallet
    FROM approval_row WHERE approval_id = ${id} ORDER BY position`.execute(db)
  return rows
}

/** Approvals of decisions that wait for a machine without a network, with their rows as they travel: number, kind, statement. */
export async function findWaitingDecisions(
  db: Db,
  now: Date,
): Promise<(StoredApproval & { readonly rows: [string, string, Record<string, string>][] })[]> {
  const { rows } = await sql<StoredApproval & { rows: [string, string, Record<string, string>][] }>`
    SELECT id, operator_id AS "operatorId", network, purpose, expires_at AS "expiresAt", nonce, root, proof,
      (SELECT json_agg(json_build_array(decision_id::text, kind, statement) ORDER BY position) FROM approval_decision WHERE approval_id = id) AS rows
    FROM approval WHERE state = 'submitted' AND purpose = 'decisions' AND expires_at > submitted_at + interval '11 minutes' AND expires_at > ${now}
    ORDER BY id LIMIT 200`.execute(db)
  return rows
}

/** Those that are prepared, not signed, and can still enter the chain after `chainAt`. */
export async function findUnsignedOffline(db: Db, chainAt: Date): Promise<UnsignedOffline[]> {
  const { rows } = await sql<
    Omit<UnsignedOffline, 'memberKey'> & Partial<NonNullable<UnsignedOffline['memberKey']>>
  >`
    SELECT t.txid, t.raw, t.to_address AS "to", t.amount, t.withdrawal_id AS "withdrawalId", t.member_id AS "memberId", w.amount AS asked, w.fee,
      k.version, k.credential_id, k.algorithm, k.public_key, p.proof, p.expires_at, p.nonce
    FROM outgoing_transfer t JOIN withdrawal w ON w.member_id = t.member_id AND w.id = t.withdrawal_id
    LEFT JOIN LATERAL (SELECT * FROM member_key WHERE member_id = t.member_id AND state = 'sealed' ORDER BY version DESC LIMIT 1) k
      ON k.kind <> 'off'
    LEFT JOIN withdrawal_proof p ON p.member_id = t.member_id AND p.withdrawal_id = t.withdrawal_id
    WHERE t.offline AND t.state = 'prepared' AND t.purpose = 'withdrawal' AND t.expires_at > ${chainAt}
    ORDER BY t.prepared_at, t.withdrawal_id`.execute(db)
  return rows.map(
    ({ version, credential_id, algorithm, public_key, proof, expires_at, nonce, ...transfer }) => ({
      ...transfer,
      memberKey:
        version == null || credential_id == null || algorithm == null || public_key == null
          ? null
          : {
              version,
              credential_id,
              algorithm,
              public_key,
              proof,
              expires_at: expires_at ?? null,
              nonce: nonce ?? null,
            },
    }),
  )
}

export interface EarlierTransfer {
  /** The txid of the transfer that follows it. */
  readonly of: string
  readonly txid: string
  readonly raw: Uint8Array
  readonly withdrawalId: bigint
}

/** What may be signed besides these transfers: of the same withdrawal, and of those of the member that ended unpaid. */
export async function findEarlier(db: Db, txids: readonly string[]): Promise<EarlierTransfer[]> {
  const { rows } = await sql<EarlierTransfer>`
    SELECT t.txid AS of, p.txid, p.raw, p.withdrawal_id AS "withdrawalId"
    FROM outgoing_transfer t
    JOIN outgoing_transfer p ON p.purpose = 'withdrawal' AND p.member_id = t.member_id AND p.txid <> t.txid
    JOIN withdrawal w ON w.member_id = p.member_id AND w.id = p.withdrawal_id
    WHERE t.txid = ANY(${[...txids]}::text[]) AND (p.signature IS NOT NULL OR p.signed_at IS NOT NULL OR p.offline)
      AND (p.withdrawal_id = t.withdrawal_id OR w.state IN ('failed', 'refused'))
    ORDER BY p.prepared_at, p.txid`.execute(db)
  return rows
}

/** Null when no withdrawal has such a transfer. */
export async function findForImport(
  db: Db,
  txid: string,
): Promise<(StoredTransfer & { readonly state: string }) | null> {
  const { rows } = await sql<
    Omit<StoredTransfer, 'approved'> & {
      state: string
      approvedState: string
      approvedTo: string
      approvedAmount: bigint
    }
  >`
    SELECT t.raw, t.from_address AS "from", t.to_address AS "to", t.amount, t.state, t.offline, w.state AS "approvedState",
      w.wallet_address AS "approvedTo", w.amount - w.fee AS "approvedAmount"
    FROM outgoing_transfer t JOIN withdrawal w ON w.member_id = t.member_id AND w.id = t.withdrawal_id
    WHERE t.txid = ${txid}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { approvedState: state, approvedTo: to, approvedAmount: amount, ...transfer } = row
  return { ...transfer, approved: { state, to, amount } }
}

/** `signed`, or why it is not stored: `stopped`, `not_prepared`. */
export async function importSignature(tx: Tx, txid: string, signature: Uint8Array): Promise<string> {
  const { rows } = await sql<{ verdict: string }>`
    SELECT import_signature(${txid}, ${Buffer.from(signature)}) AS verdict`.execute(tx)
  return rows[0]?.verdict ?? 'not_prepared'
}
