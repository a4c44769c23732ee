/** What is listed of one member, as it travels. */
import type { MemberDeposit, MemberInvoice, MemberMail } from '@aval/contract'
import { formatAmount } from '@aval/money'
import type { Config } from '../../config.ts'
import { explorerUrl } from '../../core/explorer.ts'
import { subjectOf } from '../mail/letters.presenter.ts'
import type { DepositLine, InvoiceLine, MailLine } from './file.queries.ts'

export const presentInvoiceLine = (row: InvoiceLine): MemberInvoice => ({
  txn_id: row.txn_id,
  amount: formatAmount(row.amount),
  fee: formatAmount(row.fee),
  received: formatAmount(row.received),
  state: row.state,
  created_at: row.created_at.toISOString(),
  expires_at: row.expires_at.toISOString(),
  closed_at: row.closed_at?.toISOString() ?? null,
})

export const presentDeposit = (config: Config, row: DepositLine): MemberDeposit => ({
  txid: row.txid,
  position: row.position,
  date: row.block_at.toISOString(),
  value: row.value,
  verdict: row.verdict,
  outcome: row.outcome,
  credited_at: row.credited_at?.toISOString() ?? null,
  invoice: row.invoice,
  explorer_url: explorerUrl(config, row.txid),
})

const STATES = ['queued', 'sent', 'given_up'] as const

export function presentMail(row: MailLine): MemberMail {
  const state = STATES.find((name) => name === row.state)
  if (state === undefined) throw new Error(`a mail has no state ${row.state}`)
  return {
    id: Number(row.id),
    subject: subjectOf(row.template, row.params, row.locale),
    to: row.to_address,
    date: row.created_at.toISOString(),
    state,
    sent_at: row.sent_at?.toISOString() ?? null,
    attempts: row.attempts,
  }
}
