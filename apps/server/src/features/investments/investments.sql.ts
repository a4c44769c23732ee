import type { DB, Db, Tx } from '@aval/db'
import { micro } from '@aval/money'
import type { OpenInvoice } from '@aval/plan'
import type { Insertable, Selectable, Updateable } from 'kysely'
import { query, queryOne } from '../../core/query.sql.ts'
import { isUnfinished } from '../../core/unfinished.sql.ts'

export type InvoiceRow = Omit<Selectable<DB['invoice']>, 'amount' | 'fee' | 'received'> &
  Omit<OpenInvoice, 'id'>
export type NewInvestment = Insertable<DB['investment']>

const invoiceOf = (row: Selectable<DB['invoice']>): InvoiceRow => ({
  ...row,
  amount: micro(row.amount),
  fee: micro(row.fee),
  received: micro(row.received),
})

/** Oldest first; also those past their end whose money is not in the balance yet. */
export async function selectOpenInvoices(db: Db, memberId: bigint): Promise<InvoiceRow[]> {
  const invoices = db.selectFrom('invoice').selectAll().where('member_id', '=', memberId)
  return (await invoices.where('state', '=', 'open').orderBy('id').execute()).map(invoiceOf)
}

/** Oldest first. */
export async function selectUnfinished(db: Db, memberId: bigint, since: Date): Promise<InvoiceRow[]> {
  const rows = await query<Selectable<DB['invoice']>>(db)`
    SELECT i.* FROM invoice i WHERE i.member_id = ${memberId} AND ${isUnfinished(since)} ORDER BY i.id`
  return rows.map(invoiceOf)
}

/** By its public id, of one member when `memberId` is given. */
export async function selectInvoice(
  db: Db,
  txnId: string,
  memberId?: bigint,
): Promise<InvoiceRow | undefined> {
  const row = await db
    .selectFrom('invoice_key as k')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.member_id', '=', 'k.member_id').onRef('i.id', '=', 'k.invoice_id'),
    )
    .selectAll('i')
    .where('k.txn_id', '=', txnId)
    .$if(memberId !== undefined, (query) => query.where('k.member_id', '=', memberId ?? -1n))
    .executeTakeFirst()
  return row && invoiceOf(row)
}

const REMEMBERED_MS = 30 * 86_400_000

/** The latest invoice that ended unpaid before `at`: what arrived then was probably meant for it. */
export async function selectEndedInvoice(db: Db, memberId: bigint, at: Date): Promise<bigint | null> {
  const row = await db
    .selectFrom('invoice')
    .select('id')
    .where('member_id', '=', memberId)
    .where('state', 'in', ['expired', 'cancelled'])
    .where('created_at', '<=', at)
    .where('expires_at', '>', new Date(at.getTime() - REMEMBERED_MS))
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function insertInvoice(tx: Tx, invoice: Insertable<DB['invoice']>): Promise<InvoiceRow> {
  const row = await tx.insertInto('invoice').values(invoice).returningAll().executeTakeFirstOrThrow()
  await tx
    .insertInto('invoice_key')
    .values({ txn_id: invoice.txn_id, member_id: invoice.member_id, invoice_id: row.id })
    .execute()
  return invoiceOf(row)
}

/** What an invoice received so far, and how it ended where it did. */
export async function updateInvoice(
  tx: Tx,
  { member_id, id }: Pick<InvoiceRow, 'member_id' | 'id'>,
  change: Pick<Updateable<DB['invoice']>, 'received' | 'state' | 'closed_at' | 'paid_txid'>,
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('invoice')
    .set(change)
    .where('member_id', '=', member_id)
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) throw new Error(`the invoice ${id} is not open`)
}

/** Members with open invoices that ended before `until`, at most `limit` above `after`. */
export async function selectMembersToExpire(
  db: Db,
  until: Date,
  after: bigint,
  limit: number,
): Promise<{ member_id: bigint }[]> {
  return query<{ member_id: bigint }>(db)`
    SELECT DISTINCT i.member_id FROM invoice i WHERE i.state = 'open' AND i.expires_at < ${until} AND i.member_id > ${after}
    ORDER BY i.member_id LIMIT ${limit}`
}

/** Whether something that counts came for a member and is not credited yet. */
export async function hasUncredited(db: Db, memberId: bigint): Promise<boolean> {
  const { waits } = await queryOne<{ waits: boolean }>(db)`
    SELECT EXISTS (SELECT FROM incoming_transfer t WHERE t.member_id = ${memberId} AND t.verdict = 'credit' AND NOT EXISTS (
      SELECT FROM deposit_credit c WHERE c.txid = t.txid AND c.position = t.position)) AS waits`
  return waits
}

/** Up to when all that moved on the chain is recorded; null before the first block. */
export async function selectScannedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('chain_cursor')
    .select(({ fn }) => fn.min('scanned_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

export async function insertInvestment(tx: Tx, investment: NewInvestment): Promise<void> {
  await tx.insertInto('investment').values(investment).execute()
}
