import type { InvestmentEntry, InvestmentTerms, InvoiceStatus, RefusalCode } from '@aval/contract'
import { formatAmount, formatMicro, micro, ratioToPercentText } from '@aval/money'
import { completeFromBalance, dailyRate, dueOn, endOfTerm, type Plan, toSend } from '@aval/plan'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { presentLocked } from '../../core/locked.rules.ts'
import { type Reader, say } from '../../core/messages.ts'
import type { RefusalParams } from '../../core/refusal.ts'
import type { investmentsOf, StoredInvoiceStatus, standingOf } from './investments.queries.ts'
import type { InvoiceToPay } from './invoices.commands.ts'

function checkoutUrl(config: Config, { invoice, address }: InvoiceToPay, amount: string): string {
  if (config.devnetUrl === null) return `${config.explorerUrl}/address/${address}`
  const query = new URLSearchParams({ to: address, amount, invoice: invoice.txn_id })
  return `${config.explorerUrl ?? config.devnetUrl}/checkout?${query}`
}

const secondsLeft = ({ expires_at }: InvoiceToPay['invoice'], now: Date): number =>
  Math.max(0, Math.floor((expires_at.getTime() - now.getTime()) / 1000))

/** POST plans/create-investment-payment/: of an invoice that is partly paid, what to send for what is missing. */
export function presentInvoice(config: Config, toPay: InvoiceToPay, now: Date) {
  const { invoice } = toPay
  const due = dueOn(invoice)
  const amount = formatMicro(toSend(due, micro(due - invoice.received)))
  const page = `${config.publicUrl}/api/plans/invoices/${invoice.txn_id}`
  return {
    error: 'ok' as const,
    result: {
      amount,
      txn_id: invoice.txn_id,
      address: toPay.address,
      confirms_needed: config.confirmsNeeded,
      timeout: secondsLeft(invoice, now),
      checkout_url: checkoutUrl(config, toPay, amount),
      status_url: `${page}/`,
      qrcode_url: `${page}/qrcode.svg`,
    },
  }
}

type StatusKey =
  | 'payment_confirmed'
  | 'payment_confirmed_over'
  | Extract<RefusalCode, `payment_${string}` | `invoice_${string}`>

/** The message about an invoice: paid, or why it is not yet. */
export function statusMessage(
  config: Config,
  { invoice, view }: StoredInvoiceStatus,
): { key: StatusKey; params: RefusalParams } {
  const { received, missing, toBalance } = view
  switch (view.state) {
    case 'paid':
      return toBalance > 0n
        ? { key: 'payment_confirmed_over', params: { amount: invoice.amount, surplus: toBalance } }
        : { key: 'payment_confirmed', params: { amount: invoice.amount } }
    case 'confirming':
      return {
        key: 'payment_confirming',
        params: { confirmations: view.confirmations, needed: config.confirmsNeeded },
      }
    case 'partly_paid':
      return { key: 'payment_short', params: { received, due: dueOn(invoice), missing } }
    case 'expired':
      return toBalance > 0n
        ? { key: 'payment_late', params: { received: toBalance } }
        : { key: 'invoice_expired', params: {} }
    case 'cancelled':
      return toBalance > 0n
        ? { key: 'payment_returned', params: { received: toBalance } }
        : { key: 'invoice_cancelled', params: {} }
    case 'waiting':
      return { key: 'payment_not_seen', params: {} }
    default:
      throw new Error(`an invoice in no known state: ${view.state satisfies never}`)
  }
}

/** GET plans/invoices/{txn_id}/ */
export function presentInvoiceStatus(
  config: Config,
  status: StoredInvoiceStatus,
  reader: Reader,
): InvoiceStatus {
  const { invoice, view, behind, promised } = status
  const { key, params } = statusMessage(config, status)
  const send = formatMicro(toSend(dueOn(invoice), view.missing))
  return {
    txn_id: invoice.txn_id,
    state: view.state,
    is_open: view.isOpen,
    investment: formatMicro(invoice.amount),
    fee: formatMicro(invoice.fee),
    amount: formatMicro(dueOn(invoice)),
    received: formatMicro(view.received),
    on_the_way: formatMicro(view.onTheWay),
    missing: formatMicro(view.missing),
    to_send: send,
    from_balance: formatMicro(completeFromBalance(invoice).fromBalance),
    to_balance: formatMicro(view.toBalance),
    behind: behind === null ? null : formatMicro(behind.amount),
    confirmations: view.confirmations,
    confirms_needed: config.confirmsNeeded,
    created_at: invoice.created_at.toISOString(),
    expires_at: invoice.expires_at.toISOString(),
    timeout: secondsLeft(invoice, status.now),
    address: status.address,
    checkout_url: checkoutUrl(config, status, send),
    paid_txid: invoice.paid_txid,
    unlocks_at: promised?.unlocksAt.toISOString() ?? null,
    first_payment_day: promised?.day ?? null,
    first_payment: promised?.amount == null ? null : formatMicro(promised.amount),
    explorer_url: explorerUrl(config, invoice.paid_txid),
    message: say(reader, key, params),
  }
}

/** A row of GET plans/history/. */
export function presentInvestment(
  config: Config,
  row: Awaited<ReturnType<typeof investmentsOf>>['rows'][number],
): InvestmentEntry {
  return {
    id: Number(row.id),
    amount: formatMicro(micro(row.amount)),
    date: row.credited_at.toISOString(),
    status: row.reversed_at === null ? 'completed' : 'reversed',
    reversed_at: row.reversed_at?.toISOString() ?? null,
    txn_id: row.txn_id,
    pay_with_balance: row.from_balance,
    before_investment_value: formatMicro(micro(row.value)),
    txid: row.txid,
    explorer_url: explorerUrl(config, row.txid),
  }
}

/** GET plans/terms/ */
export function presentTerms(
  plan: Plan,
  { minimum, spendable, lock }: Awaited<ReturnType<typeof standingOf>>,
  now: Date,
): InvestmentTerms {
  return {
    minimum: formatMicro(minimum),
    fee_percentage: plan.investment.feePercent,
    lock_days: plan.investment.lockDays,
    daily_percentage: ratioToPercentText(dailyRate(plan)),
    balance: formatAmount(spendable),
    unlocks_at: endOfTerm(plan, now).toISOString(),
    invested: formatAmount(lock.unlocked + lock.lockedAmount),
    locked: presentLocked(lock),
    elapsed: formatAmount(lock.elapsedAmount),
  }
}
