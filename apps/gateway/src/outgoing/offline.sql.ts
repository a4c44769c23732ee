/** Payments that are signed on another machine. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export interface OfflinePayment {
  readonly txid: string
  readonly raw: Uint8Array
  readonly from: string
  readonly to: string
  readonly amount: bigint
  readonly withdrawalId: bigint
}

/** Those that were prepared for it, are not signed, and can still enter the chain after `chainAt`. */
export async function findUnsignedOffline(db: Db, chainAt: Date): Promise<OfflinePayment[]> {
  const { rows } = await sql<OfflinePayment>`
    SELECT txid, raw, from_address AS "from", to_address AS "to", amount, withdrawal_id AS "withdrawalId" FROM outgoing_transfer
    WHERE offline AND state = 'prepared' AND purpose = 'withdrawal' AND expires_at > ${chainAt}
    ORDER BY prepared_at, withdrawal_id`.execute(db)
  return rows
}

/** What the database knows of a payment, and what its withdrawal says is to be paid. */
export interface ImportedPayment extends Omit<OfflinePayment, 'withdrawalId'> {
  readonly state: string
  readonly offline: boolean
  readonly approved: { readonly state: string; readonly to: string; readonly amount: bigint }
}

/** Null when there is no such payment of a withdrawal. */
export async function findForImport(db: Db, txid: string): Promise<ImportedPayment | null> {
  const { rows } = await sql<
    Omit<ImportedPayment, 'approved'> & { approvedState: string; approvedTo: string; approvedAmount: bigint }
  >`
    SELECT p.txid, p.raw, p.from_address AS "from", p.to_address AS "to", p.amount, p.state, p.offline, w.state AS "approvedState",
      w.wallet_address AS "approvedTo", w.amount - w.fee AS "approvedAmount"
    FROM outgoing_transfer p JOIN withdrawal w ON w.member_id = p.member_id AND w.id = p.withdrawal_id
    WHERE p.txid = ${txid}`.execute(db)
  const [row] = rows
  if (row === undefined) return null
  const { approvedState: state, approvedTo: to, approvedAmount: amount, ...payment } = row
  return { ...payment, approved: { state, to, amount } }
}

/** `signed`, or why it is not stored: `stopped`, `not_prepared`. */
export async function importSignature(tx: Tx, txid: string, signature: Uint8Array): Promise<string> {
  const { rows } = await sql<{ verdict: string }>`
    SELECT import_signature(${txid}, ${Buffer.from(signature)}) AS verdict`.execute(tx)
  return rows[0]?.verdict ?? 'not_prepared'
}

/** Writes into the trail of who did what. */
export async function recordImport(
  db: Db,
  entry: {
    readonly at: Date
    readonly txid: string
    readonly outcome: 'done' | 'refused'
    readonly details: Readonly<Record<string, string>>
  },
): Promise<void> {
  await db
    .insertInto('audit_event')
    .values({
      at: entry.at,
      actor_id: null,
      action: 'payment.import',
      outcome: entry.outcome,
      subject: `payment:${entry.txid}`,
      details: JSON.stringify(entry.details),
    })
    .execute()
}
