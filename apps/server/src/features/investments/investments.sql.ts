import type { DB, Db, Tx } from '@aval/db'
import { micro } from '@aval/money'
import type { OpenInvoice } from '@aval/plan'
import type { Insertable, Selectable } from 'kysely'

export type InvoiceRow = Selectable<DB['invoice']>
export type NewInvestment = Insertable<DB['investment']>

/** Lapsed invoices leave the open ones, so that the same amount can be asked for again. */
export async function lapseInvoices(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await tx
    .updateTable('invoice')
    .set({ state: 'expired' })
    .where('member_id', '=', memberId)
    .where('state', '=', 'open')
    .where('expires_at', '<', now)
    .execute()
}

export function selectOpenInvoices(db: Db, memberId: bigint) {
  return db
    .selectFrom('invoice')
    .selectAll()
    .where('member_id', '=', memberId)
    .where('state', '=', 'open')
    .orderBy('id')
    .execute()
}

/** How many invoices of each kind arriving money is held against, and for how long a lapsed one is remembered. */
const MOST_INVOICES = 100
const REMEMBERED_MS = 30 * 86_400_000

/**
 * Unpaid invoices that money which arrived at `at` could be meant for, oldest first: those that were open then, and the
 * latest of those that had lapsed. Each kind is limited by itself, so that old ones never crowd out what is open.
 */
export async function selectUnpaidInvoices(db: Db, memberId: bigint, at: Date): Promise<OpenInvoice[]> {
  const unpaid = db
    .selectFrom('invoice')
    .select(['id', 'amount', 'fee', 'expires_at'])
    .where('member_id', '=', memberId)
    .where('state', '<>', 'paid')
    .limit(MOST_INVOICES)
  const lapsed = await unpaid
    .where('expires_at', '<', at)
    .where('expires_at', '>', new Date(at.getTime() - REMEMBERED_MS))
    .orderBy('id', 'desc')
    .execute()
  const open = await unpaid.where('expires_at', '>=', at).orderBy('id').execute()
  return [...lapsed, ...open]
    .map((row) => ({
      id: row.id,
      amount: micro(row.amount),
      fee: micro(row.fee),
      expiresAt: row.expires_at,
    }))
    .sort((left, right) => (left.id < right.id ? -1 : 1))
}

export async function insertInvoice(tx: Tx, invoice: Insertable<DB['invoice']>): Promise<InvoiceRow> {
  const row = await tx.insertInto('invoice').values(invoice).returningAll().executeTakeFirstOrThrow()
  await tx
    .insertInto('invoice_key')
    .values({ txn_id: invoice.txn_id, member_id: invoice.member_id, invoice_id: row.id })
    .execute()
  return row
}

export async function markInvoicePaid(tx: Tx, memberId: bigint, id: bigint, txid: string): Promise<string> {
  const row = await tx
    .updateTable('invoice')
    .set({ state: 'paid', paid_txid: txid })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('state', '<>', 'paid')
    .returning('txn_id')
    .executeTakeFirstOrThrow()
  return row.txn_id
}

export async function insertInvestment(tx: Tx, investment: NewInvestment): Promise<void> {
  await tx.insertInto('investment').values(investment).execute()
}
