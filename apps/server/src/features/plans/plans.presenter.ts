import type { InvestmentEntry, InvoiceStatus, Locale, RefusalCode } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import type { Config } from '../../config.ts'
import { say } from '../../core/messages.ts'
import type { RefusalParams } from '../../core/refusal.ts'
import type { InvoiceStanding, InvoiceToPay } from './plans.commands.ts'

/** The page that shows a transaction; null where nobody runs an explorer. */
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

/** What there is to tell about an invoice that is not paid, or that it is. */
export function standingMessage(
  config: Config,
  standing: InvoiceStanding,
): {
  key: 'payment_confirmed' | Extract<RefusalCode, `payment_${string}` | 'invoice_expired'>
  params: RefusalParams
} {
  const { invoice, view, due } = standing
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
export function presentStanding(config: Config, standing: InvoiceStanding, locale: Locale): InvoiceStatus {
  const { invoice, view, due, paidTxid } = standing
  const { key, params } = standingMessage(config, standing)
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
  row: {
    id: bigint
    amount: bigint
    value_after: bigint
    from_balance: boolean
    txn_id: string | null
    txid: string | null
    credited_at: Date
  },
): InvestmentEntry {
  return {
    id: Number(row.id),
    amount: formatMicro(micro(row.amount)),
    date: row.credited_at.toISOString(),
    status: 'completed',
    txn_id: row.txn_id,
    pay_with_balance: row.from_balance,
    before_investment_value: formatMicro(micro(row.value_after)),
    explorer_url: explorerUrl(config, row.txid),
  }
}
