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
}

/** Those that are prepared, not signed, and can still enter the chain after `chainAt`. */
export async function findUnsignedOffline(db: Db, chainAt: Date): Promise<UnsignedOffline[]> {
  const { rows } = await sql<UnsignedOffline>`
    SELECT txid, raw, to_address AS "to", amount, withdrawal_id AS "withdrawalId" FROM outgoing_transfer
    WHERE offline AND state = 'prepared' AND purpose = 'withdrawal' AND expires_at > ${chainAt}
    ORDER BY prepared_at, withdrawal_id`.execute(db)
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
