import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import type { Plan } from '@aval/plan'
import { Refusal } from '../../core/refusal.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { type InvoiceView, viewInvoice } from './investments.rules.ts'
import {
  type InvoiceRow,
  selectDepositAddress,
  selectInvestmentDates,
  selectInvestments,
  selectInvoice,
  selectShortOrLate,
  selectUnconfirmed,
} from './investments.sql.ts'

/** The least a member can invest now: the first time more than later. */
export async function minimumFor(db: Db, memberId: bigint, plan: Plan): Promise<Micro> {
  const { principal } = await balancesOf(db, memberId)
  return principal === 0n ? plan.investment.firstMinimum : plan.investment.topUpMinimum
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

/** A member's entries of the investment history, newest first. */
export function investmentsOf(db: Db, memberId: bigint, limit: number, offset: number) {
  return selectInvestments(db, memberId, limit, offset)
}

/** First and latest investment of a member, null for both where nothing was invested. */
export function investmentDatesOf(db: Db, memberId: bigint) {
  return selectInvestmentDates(db, memberId)
}

export function depositAddressOf(db: Db, memberId: bigint): Promise<string> {
  return selectDepositAddress(db, memberId)
}
