import { type Db, prepared, type Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import type { OpenInvoice } from '@aval/plan'
import { sql } from 'kysely'

const INVOICE = [
  'id',
  'member_id',
  'txn_id',
  'amount',
  'fee',
  'plan_version',
  'created_at',
  'expires_at',
  'state',
  'paid_txid',
] as const

export type InvoiceRow = NonNullable<Awaited<ReturnType<typeof selectInvoice>>>

/** By its public id, of one member when `memberId` is given. */
export async function selectInvoice(db: Db, txnId: string, memberId?: bigint) {
  return db
    .selectFrom('invoice_key as k')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.member_id', '=', 'k.member_id').onRef('i.id', '=', 'k.invoice_id'),
    )
    .select(INVOICE.map((column) => `i.${column}` as const))
    .where('k.txn_id', '=', txnId)
    .$if(memberId !== undefined, (query) => query.where('k.member_id', '=', memberId ?? -1n))
    .executeTakeFirst()
}

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
    .select(INVOICE)
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

export async function insertInvoice(
  tx: Tx,
  invoice: {
    member_id: bigint
    txn_id: string
    amount: Micro
    fee: Micro
    plan_version: number
    created_at: Date
    expires_at: Date
  },
): Promise<InvoiceRow> {
  const row = await tx.insertInto('invoice').values(invoice).returning(INVOICE).executeTakeFirstOrThrow()
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

export async function insertInvestment(
  tx: Tx,
  investment: {
    member_id: bigint
    journal_id: bigint
    amount: Micro
    value_after: Micro
    from_balance: boolean
    txn_id: string | null
    txid: string | null
    plan_version: number
    credited_at: Date
  },
): Promise<void> {
  await tx.insertInto('investment').values(investment).execute()
}

export async function selectInvestments(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await db
    .selectFrom('investment')
    .selectAll()
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  const total = await db
    .selectFrom('investment')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return { rows, count: total.count }
}

/** First and latest investment of a member, null for both where nothing was invested. */
export async function selectInvestmentDates(db: Db, memberId: bigint) {
  const row = await db
    .selectFrom('investment')
    .modifyFront(prepared)
    .select(({ fn }) => [fn.min('credited_at').as('first'), fn.max('credited_at').as('latest')])
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return { first: row?.first ?? null, latest: row?.latest ?? null }
}

export async function selectDepositAddress(db: Db, memberId: bigint): Promise<string> {
  const row = await db
    .selectFrom('deposit_address')
    .select('address')
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.address
}

/** What is on its way to a member and not solidified, and how deep the shallowest of it is. */
export async function selectUnconfirmed(db: Db, memberId: bigint) {
  const { rows } = await sql<{ value: bigint; confirmations: number }>`
    SELECT s.value, greatest(0, c.head_block - s.block + 1)::int AS confirmations
    FROM unconfirmed_transfer s CROSS JOIN (SELECT max(head_block) AS head_block FROM chain_cursor) c
    WHERE s.member_id = ${memberId} AND NOT EXISTS (
      SELECT FROM deposit_credit d WHERE d.txid = s.txid AND d.position = s.position)
    ORDER BY s.block`.execute(db)
  return rows
}

/** The latest money that arrived for this invoice and did not pay it. */
export function selectShortOrLate(db: Db, memberId: bigint, invoiceId: bigint) {
  return db
    .selectFrom('deposit_credit')
    .select(['amount', 'outcome', 'txid'])
    .where('member_id', '=', memberId)
    .where('invoice_id', '=', invoiceId)
    .where('outcome', 'in', ['short', 'late'])
    .orderBy('credited_at', 'desc')
    .executeTakeFirst()
}
