import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'
import { findInstallation } from '../core/installation.sql.ts'
import type { Head } from './journal/entries.rules.ts'
import type { OtherTransfer, PreparedTransfer, Withdrawal } from './signing.rules.ts'

/** A transfer, what it is for, the signature that is stored, and whether money out is stopped; null when there is none with that txid. */
export async function findTransfer(db: Db, txid: string) {
  const row = await db
    .selectFrom('outgoing_transfer')
    .selectAll()
    .select(sql<boolean>`(SELECT stopped FROM payout_stop)`.as('isStopped'))
    .where('txid', '=', txid)
    .executeTakeFirst()
  if (row === undefined) return null
  const transfer: PreparedTransfer = {
    txid,
    purpose: row.purpose,
    memberId: row.member_id,
    from: row.from_address,
    to: row.to_address,
    amount: row.amount,
    raw: row.raw,
    expiresAt: row.expires_at.getTime(),
    installation: await findInstallation(db),
    withdrawal:
      row.withdrawal_id === null ? null : await findWithdrawal(db, row.member_id, row.withdrawal_id, txid),
  }
  const stored = row.signature === null ? null : new Uint8Array(row.signature)
  return { state: row.state, stored, isStopped: row.isStopped, transfer }
}

async function findWithdrawal(
  db: Db,
  memberId: bigint,
  id: bigint,
  except: string,
): Promise<Withdrawal | null> {
  const row = await db
    .selectFrom('withdrawal')
    .select(['state', 'wallet_address as wallet', 'amount', 'fee', 'approvals_needed as approvalsNeeded'])
    .select(
      sql<boolean>`EXISTS (SELECT FROM member_key k WHERE k.member_id = withdrawal.member_id AND k.state = 'sealed' AND k.kind <> 'off'
        AND NOT EXISTS (SELECT FROM member_key l WHERE l.member_id = k.member_id AND l.state = 'sealed' AND l.version > k.version))`.as(
        'claimsKey',
      ),
    )
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) return null
  // Who approved is not asked of the database.
  const approvals = { operators: [], because: null }
  return { ...row, id, memberId, approvals, others: await findOthers(db, memberId, id, except) }
}

function findOthers(db: Db, memberId: bigint, id: bigint, except: string): Promise<OtherTransfer[]> {
  return db
    .selectFrom('outgoing_transfer')
    .select(['txid', 'state', 'raw'])
    .select(sql<boolean>`signature IS NOT NULL OR signed_at IS NOT NULL OR offline`.as('mayBeSigned'))
    .where('purpose', '=', 'withdrawal')
    .where('member_id', '=', memberId)
    .where('withdrawal_id', '=', id)
    .where('txid', '<>', except)
    .execute()
}

/**
 * Stores a signature, if the transfer may still have one. `signed`, or the database's reason against it: `not_prepared`,
 * `stopped`, `not_approved`, `cap_reached`. The journal's end is remembered with it.
 */
export async function storeSignature(
  db: Db,
  txid: string,
  signature: Uint8Array,
  cap: bigint,
  head: Head,
): Promise<string> {
  const { rows } = await sql<{ verdict: string }>`
    SELECT sign_outgoing_transfer(${txid}, ${Buffer.from(signature)}, ${cap}) AS verdict,
      remember_journal(${head.sequence}, ${head.hash})`.execute(db)
  return rows[0]?.verdict ?? 'not_prepared'
}
