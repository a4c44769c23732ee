import type { DB, Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import type { OpenInvoice } from '@aval/plan'
import type { Insertable, Selectable } from 'kysely'
import { countOf, query, queryOne, queryValue } from '../../core/query.sql.ts'
import { isUnfinished } from '../../core/unfinished.sql.ts'

export type InvoiceRow = Omit<Selectable<DB['invoice']>, 'amount' | 'fee' | 'received'> &
  Omit<OpenInvoice, 'id'>

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

/** How often a member has invested the balance since an instant. */
export const countFromBalance = (db: Db, memberId: bigint, since: Date) =>
  countOf(db)`investment WHERE member_id = ${memberId} AND from_balance AND credited_at >= ${since}`

/** Whether this request invested the balance before. */
export const hasReinvested = (db: Db, memberId: bigint, request: string) =>
  queryValue<boolean>(
    db,
  )`SELECT EXISTS (SELECT FROM journal WHERE key = ${`reinvest:${memberId}:${request}`})`

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

/** The balance adds what is missing; `fee` is the share that what came by chain bears. */
export async function updateCompleted(
  tx: Tx,
  { member_id, id }: Pick<InvoiceRow, 'member_id' | 'id'>,
  { fee, planVersion, at, closedAt }: { fee: Micro; planVersion: number; at: Date; closedAt: Date },
): Promise<void> {
  await query(tx)`SELECT complete_invoice(${member_id}, ${id}, ${fee}, ${planVersion}, ${at}, ${closedAt})`
}

/** What had come for it goes to the balance, in full. */
export async function updateEnded(
  tx: Tx,
  { member_id, id }: Pick<InvoiceRow, 'member_id' | 'id'>,
  state: 'expired' | 'cancelled',
  at: Date,
): Promise<void> {
  await query(tx)`SELECT end_invoice(${member_id}, ${id}, ${state}, ${at})`
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
      SELECT FROM deposit_credit c WHERE c.member_id = t.member_id AND c.txid = t.txid AND c.position = t.position)) AS waits`
  return waits
}

export interface Payment {
  readonly amount: bigint
  readonly txid: string
}

/** What was credited for an invoice while it was open, in the order of the chain. */
export const selectPayments = (db: Db, memberId: bigint, txnId: string) => query<Payment>(db)`
  SELECT c.amount, c.txid FROM invoice_key k JOIN deposit_credit c ON c.member_id = k.member_id AND c.invoice_id = k.invoice_id
  WHERE k.txn_id = ${txnId} AND k.member_id = ${memberId} AND c.outcome <> 'late' ORDER BY c.journal_id`

/** Up to when all that moved on the chain is recorded; null before the first block. */
export async function selectScannedAt(db: Db): Promise<Date | null> {
  const row = await db
    .selectFrom('chain_cursor')
    .select(({ fn }) => fn.min('scanned_at').as('at'))
    .executeTakeFirst()
  return row?.at ?? null
}

/** Turns balance into principal. False where this request did before. */
export async function insertReinvestment(
  tx: Tx,
  asked: { memberId: bigint; request: string; amount: Micro; planVersion: number; at: Date },
): Promise<boolean> {
  const { memberId, request, amount, planVersion, at } = asked
  return queryValue<boolean>(
    tx,
  )`SELECT invest_balance(${memberId}, ${request}, ${amount}, ${planVersion}, ${at})`
}

/** Null where none is left. */
export const claimAddress = (tx: Tx, memberId: bigint): Promise<string | null> =>
  queryValue<string | null>(tx)`SELECT claim_deposit_address(${memberId})`
