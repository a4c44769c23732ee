import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'
import { findInstallation } from '../core/installation.sql.ts'
import type { Head } from './journal/entries.rules.ts'
import type { OtherTransfer, PreparedTransfer, Withdrawal } from './signing.rules.ts'

/** A transfer, what it is for, the signature that is stored, and whether money out is stopped. */
export interface StoredTransfer {
  readonly state: string
  readonly stored: Uint8Array | null
  readonly isStopped: boolean
  readonly transfer: PreparedTransfer
}

/** By txid; those that nobody prepared are missing. */
export async function findTransfers(
  db: Db,
  txids: readonly string[],
): Promise<ReadonlyMap<string, StoredTransfer>> {
  const rows = await db
    .selectFrom('outgoing_transfer')
    .selectAll()
    .select([
      sql<boolean>`(SELECT stopped FROM payout_stop)`.as('isStopped'),
      sql<
        bigint | null
      >`(SELECT key_index FROM deposit_address a WHERE a.member_id = outgoing_transfer.member_id AND a.address = CASE purpose WHEN 'sweep' THEN from_address
        WHEN 'trx_topup' THEN to_address END)`.as('keyIndex'),
    ])
    .where('txid', '=', sql<string>`any(${[...txids]}::text[])`)
    .execute()
  if (rows.length === 0) return new Map()
  const installation = await findInstallation(db)
  const withdrawals = await findWithdrawals(db, rows)
  return new Map(
    rows.map((row) => {
      const transfer: PreparedTransfer = {
        txid: row.txid,
        purpose: row.purpose,
        memberId: row.member_id,
        keyIndex: row.keyIndex,
        from: row.from_address,
        to: row.to_address,
        amount: row.amount,
        raw: row.raw,
        expiresAt: row.expires_at.getTime(),
        installation,
        withdrawal: withdrawals.get(row.txid) ?? null,
      }
      const stored = row.signature === null ? null : new Uint8Array(row.signature)
      return [row.txid, { state: row.state, stored, isStopped: row.isStopped, transfer }]
    }),
  )
}

interface TransferKey {
  readonly txid: string
  readonly member_id: bigint
  readonly withdrawal_id: bigint | null
}

/** The withdrawal of each transfer, by its txid. */
async function findWithdrawals(
  db: Db,
  transfers: readonly TransferKey[],
): Promise<ReadonlyMap<string, Withdrawal>> {
  const owned = transfers.filter(({ withdrawal_id }) => withdrawal_id !== null)
  if (owned.length === 0) return new Map()
  const { rows } = await sql<Omit<Withdrawal, 'approvals' | 'others' | 'unpaid'>>`
    SELECT w.member_id AS "memberId", w.id, w.state, w.wallet_address AS wallet, w.amount, w.fee, w.approvals_needed AS "approvalsNeeded",
      is_frozen(w.member_id) AS "isFrozen",
      EXISTS (SELECT FROM member_key k WHERE k.member_id = w.member_id AND k.state = 'sealed' AND k.kind <> 'off'
        AND NOT EXISTS (SELECT FROM member_key l WHERE l.member_id = k.member_id AND l.state = 'sealed' AND l.version > k.version)) AS "claimsKey"
    FROM unnest(${owned.map((each) => String(each.member_id))}::bigint[], ${owned.map((each) => String(each.withdrawal_id))}::bigint[])
      AS asked (member_id, id) JOIN withdrawal w ON w.member_id = asked.member_id AND w.id = asked.id`.execute(
    db,
  )
  const found = new Map(rows.map((row) => [row.id, row]))
  const prepared = await findPreparedFor(db, rows)
  const ended = await findUnpaid(
    db,
    rows.map(({ memberId }) => memberId),
  )
  return new Map(
    owned.flatMap(({ txid, member_id, withdrawal_id: id }) => {
      const row = id === null ? undefined : found.get(id)
      if (row === undefined || row.memberId !== member_id) return []
      const others = prepared.filter((each) => each.withdrawal === row.id && each.txid !== txid)
      // Who approved is not asked of the database.
      const unpaid = ended.filter((each) => each.memberId === row.memberId)
      return [[txid, { ...row, approvals: { operators: [], because: null }, others, unpaid }]]
    }),
  )
}

/** All transfers ever prepared for these withdrawals. */
async function findPreparedFor(
  db: Db,
  withdrawals: readonly { readonly memberId: bigint; readonly id: bigint }[],
): Promise<(OtherTransfer & { readonly withdrawal: bigint })[]> {
  const { rows } = await sql<OtherTransfer & { readonly withdrawal: bigint }>`
    SELECT p.withdrawal_id AS withdrawal, p.txid, p.state, p.raw, p.signature IS NOT NULL OR p.signed_at IS NOT NULL OR p.offline AS "mayBeSigned"
    FROM unnest(${withdrawals.map((each) => String(each.memberId))}::bigint[], ${withdrawals.map((each) => String(each.id))}::bigint[])
      AS asked (member_id, id) JOIN outgoing_transfer p ON p.purpose = 'withdrawal' AND p.member_id = asked.member_id
        AND p.withdrawal_id = asked.id`.execute(db)
  return rows
}

/** What may be signed of these members' withdrawals that ended unpaid. */
async function findUnpaid(
  db: Db,
  members: readonly bigint[],
): Promise<(OtherTransfer & { readonly memberId: bigint })[]> {
  const { rows } = await sql<OtherTransfer & { readonly memberId: bigint }>`
    SELECT p.member_id AS "memberId", p.txid, p.state, p.raw, true AS "mayBeSigned"
    FROM withdrawal w JOIN outgoing_transfer p ON p.purpose = 'withdrawal' AND p.member_id = w.member_id AND p.withdrawal_id = w.id
    WHERE w.member_id = ANY(${members.map(String)}::bigint[]) AND w.state IN ('failed', 'refused')
      AND (p.signature IS NOT NULL OR p.signed_at IS NOT NULL OR p.offline)`.execute(db)
  return rows
}

/**
 * Stores signatures of transfers that may still have one, in this order. Of each `signed`, or the database's reason against it:
 * `not_prepared`, `stopped`, `not_approved`, `frozen`, `cap_reached`. The journal's end is remembered with them.
 */
export async function storeSignatures(
  db: Db,
  signatures: readonly { readonly txid: string; readonly signature: Uint8Array }[],
  cap: bigint,
  head: Head,
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ txid: string; verdict: string }>`
    WITH remembered AS MATERIALIZED (SELECT remember_journal(${head.sequence}, ${head.hash}))
    SELECT s.txid, s.verdict FROM remembered, sign_outgoing_transfers(${signatures.map(({ txid }) => txid)}::text[],
      ${signatures.map(({ signature }) => Buffer.from(signature))}::bytea[], ${cap}) AS s`.execute(db)
  return new Map(rows.map(({ txid, verdict }) => [txid, verdict]))
}
