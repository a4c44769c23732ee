import type { DB, Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import type { Plan, Term } from '@aval/plan'
import type { Selectable } from 'kysely'
import { countOf, query } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { selectTerm } from '../../core/term.sql.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { type InvoiceView, viewInvoice } from './investments.rules.ts'
import type { InvoiceRow } from './investments.sql.ts'

/** The least a member can invest now: the first time more than later. */
export async function minimumFor(db: Db, memberId: bigint, plan: Plan): Promise<Micro> {
  const { principal } = await balancesOf(db, memberId)
  return principal === 0n ? plan.investment.firstMinimum : plan.investment.topUpMinimum
}

/** By its public id, of one member when `memberId` is given. */
function selectInvoice(db: Db, txnId: string, memberId?: bigint) {
  return db
    .selectFrom('invoice_key as k')
    .innerJoin('invoice as i', (join) =>
      join.onRef('i.member_id', '=', 'k.member_id').onRef('i.id', '=', 'k.invoice_id'),
    )
    .selectAll('i')
    .where('k.txn_id', '=', txnId)
    .$if(memberId !== undefined, (query) => query.where('k.member_id', '=', memberId ?? -1n))
    .executeTakeFirst()
}

/** What is on its way to a member and not solidified, and how deep the shallowest of it is. */
async function selectUnconfirmed(db: Db, memberId: bigint) {
  return query<{ value: bigint; confirmations: number }>(db)`
    SELECT s.value, greatest(0, c.head_block - s.block + 1)::int AS confirmations
    FROM unconfirmed_transfer s CROSS JOIN (SELECT max(head_block) AS head_block FROM chain_cursor) c
    WHERE s.member_id = ${memberId} AND NOT EXISTS (
      SELECT FROM deposit_credit d WHERE d.txid = s.txid AND d.position = s.position)
    ORDER BY s.block`
}

/** The latest money that arrived for this invoice and did not pay it. */
function selectShortOrLate(db: Db, memberId: bigint, invoiceId: bigint) {
  return db
    .selectFrom('deposit_credit')
    .select(['amount', 'outcome', 'txid'])
    .where('member_id', '=', memberId)
    .where('invoice_id', '=', invoiceId)
    .where('outcome', 'in', ['short', 'late'])
    .orderBy('credited_at', 'desc')
    .executeTakeFirst()
}

export interface StoredInvoiceStatus {
  readonly invoice: InvoiceRow
  readonly view: InvoiceView
  readonly due: Micro
  readonly paidTxid: string | null
}

/**
 * The state of an invoice; of one member when `memberId` is given.
 *
 * @throws Refusal invoice_not_found, also for another member's.
 */
export async function invoiceStatusOf(
  db: Db,
  txnId: string,
  now: Date,
  confirmsNeeded: number,
  memberId?: bigint,
): Promise<StoredInvoiceStatus> {
  const invoice = await selectInvoice(db, txnId, memberId)
  if (invoice === undefined) throw new Refusal('invoice_not_found')
  const due = micro(invoice.amount + invoice.fee)
  const paid = invoice.state === 'paid'
  const unpaid = paid ? undefined : await selectShortOrLate(db, invoice.member_id, invoice.id)
  const view = viewInvoice(
    {
      stored: invoice.state as 'open' | 'paid' | 'expired',
      due,
      expiresAt: invoice.expires_at,
      unconfirmed: paid ? [] : await selectUnconfirmed(db, invoice.member_id),
      arrived: micro(unpaid?.amount ?? 0n),
    },
    now,
    confirmsNeeded,
  )
  return { invoice, view, due, paidTxid: invoice.paid_txid ?? unpaid?.txid ?? null }
}

/** As an investment stands today. */
interface InvestmentRow extends Selectable<DB['investment']> {
  readonly reversed_at: Date | null
  /** The value after it, without what was reversed later. */
  readonly value: bigint
}

/** A member's entries of the investment history, newest first. */
export async function investmentsOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<InvestmentRow>(db)`
    SELECT i.*, r.at AS reversed_at, i.value_after - (SELECT coalesce(sum(b.amount), 0) FROM reversal b
        WHERE b.member_id = i.member_id AND b.investment_id <= i.id AND b.id > i.id)::bigint AS value
    FROM investment i LEFT JOIN reversal r ON r.member_id = i.member_id AND r.investment_id = i.id
    WHERE i.member_id = ${memberId} ORDER BY i.id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`investment WHERE member_id = ${memberId}` }
}

/** How long a member's principal is locked; null where nothing is invested. */
export async function termOf(db: Db, memberId: bigint): Promise<Term | null> {
  const row = (await selectTerm(memberId).execute(db)).rows[0]
  return row?.latest == null || row.lock_days === null ? null : { from: row.latest, days: row.lock_days }
}

export async function depositAddressOf(db: Db, memberId: bigint): Promise<string> {
  const row = await db
    .selectFrom('deposit_address')
    .select('address')
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.address
}
