import type { InvestmentEntry, InvestmentTerms, InvoiceStatus, Locale, RefusalCode } from '@aval/contract'
import { formatMicro, type Micro, micro, ratioToPercentText } from '@aval/money'
import { dailyRate, type Plan } from '@aval/plan'
import type { Config } from '../../config.ts'
import { say } from '../../core/messages.ts'
import type { RefusalParams } from '../../core/refusal.ts'
import type { InvoiceToPay } from './investments.commands.ts'
import type { investmentsOf, StoredInvoiceStatus } from './investments.queries.ts'

/** The page that shows a transaction; null where there is no explorer. */
export function explorerUrl(config: Config, txid: string | null): string | null {
  if (txid === null || config.explorerUrl === null) return null
  return `${config.explorerUrl}${config.devnetUrl === null ? '/transaction/' : '/tx/'}${txid}`
}

function checkoutUrl(config: Config, toPay: InvoiceToPay, due: string): string {
  const { invoice, address } = toPay
  if (config.devnetUrl === null) return `${config.explorerUrl}/address/${address}`
  const query = new URLSearchParams({ to: address, amount: due, invoice: invoice.txn_id })
  return `${config.explorerUrl ?? config.devnetUrl}/checkout?${query}`
}

/** POST plans/create-investment-payment/ */
export function presentInvoice(config: Config, toPay: InvoiceToPay, now: Date) {
  const { invoice, address } = toPay
  const amount = formatMicro(micro(invoice.amount + invoice.fee))
  const page = `${config.publicUrl}/api/plans/invoices/${invoice.txn_id}`
  const left = Math.floor((invoice.expires_at.getTime() - now.getTime()) / 1000)
  return {
    error: 'ok' as const,
    result: {
      amount,
      txn_id: invoice.txn_id,
      address,
      confirms_needed: config.confirmsNeeded,
      timeout: Math.max(0, left),
      checkout_url: checkoutUrl(config, toPay, amount),
      status_url: `${page}/`,
      qrcode_url: `${page}/qrcode.svg`,
    },
  }
}

/** The message about an invoice: paid, or why it is not yet. */
export function statusMessage(
  config: Config,
  status: StoredInvoiceStatus,
): {
  key: 'payment_confirmed' | Extract<RefusalCode, `payment_${string}` | 'invoice_expired'>
  params: RefusalParams
} {
  const { invoice, view, due } = status
  switch (view.state) {
    case 'paid':
      return { key: 'payment_confirmed', params: { amount: micro(invoice.amount) } }
    case 'confirming':
      return {
        key: 'payment_confirming',
        params: { confirmations: view.confirmations, needed: config.confirmsNeeded },
      }
    case 'short':
      return { key: 'payment_short', params: { received: view.received, due, missing: view.missing } }
    case 'expired':
      return view.received > 0n
        ? { key: 'payment_late', params: { received: view.received } }
        : { key: 'invoice_expired', params: {} }
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
  locale: Locale,
): InvoiceStatus {
  const { invoice, view, due, paidTxid } = status
  const { key, params } = statusMessage(config, status)
  return {
    txn_id: invoice.txn_id,
    state: view.state,
    investment: formatMicro(micro(invoice.amount)),
    fee: formatMicro(micro(invoice.fee)),
    amount: formatMicro(due),
    received: formatMicro(view.received),
    confirmations: view.confirmations,
    confirms_needed: config.confirmsNeeded,
    expires_at: invoice.expires_at.toISOString(),
    paid_txid: paidTxid,
    explorer_url: explorerUrl(config, paidTxid),
    message: say(locale, key, params),
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
    explorer_url: explorerUrl(config, row.txid),
  }
}

/** GET plans/terms/ */
export function presentTerms(plan: Plan, minimum: Micro): InvestmentTerms {
  return {
    minimum: formatMicro(minimum),
    fee_percentage: plan.investment.feePercent,
    lock_days: plan.investment.lockDays,
    daily_percentage: ratioToPercentText(dailyRate(plan)),
  }
}
