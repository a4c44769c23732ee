import { createHash, randomBytes } from 'node:crypto'
import type { Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { type DepositOutcome, feeOn, investmentRefusal, type OpenInvoice, type Plan } from '@aval/plan'
import { enqueue } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../ledger/ledger.commands.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { depositAddressOf } from './investments.queries.ts'
import * as store from './investments.sql.ts'

function refuseUnfit(plan: Plan, amount: Micro, principal: Micro): void {
  const refusal = investmentRefusal(plan, amount, principal)
  if (refusal !== null) throw new Refusal(refusal.code, { limit: refusal.limit })
}

export interface InvoiceToPay {
  readonly invoice: store.InvoiceRow
  readonly address: string
}

/**
 * Asks for an on-chain investment of `amount`. The same amount while one is open answers that one.
 *
 * @throws Refusal below the minimum, above the maximum, or with too many invoices open.
 */
export async function createInvoice(
  tx: Tx,
  memberId: bigint,
  amount: Micro,
  now: Date,
): Promise<InvoiceToPay> {
  await lockMember(tx, memberId)
  const { version, plan } = await planAt(tx, now)
  await store.lapseInvoices(tx, memberId, now)
  const open = await store.selectOpenInvoices(tx, memberId)
  const address = await depositAddressOf(tx, memberId)
  const same = open.find((invoice) => invoice.amount === amount)
  if (same !== undefined) return { invoice: same, address }
  const { principal } = await balancesOf(tx, memberId)
  refuseUnfit(plan, amount, principal)
  if (open.length >= plan.investment.openInvoices) throw new Refusal('too_many_open_invoices')
  const invoice = await store.insertInvoice(tx, {
    member_id: memberId,
    txn_id: randomBytes(16).toString('hex'),
    amount,
    fee: feeOn(plan, amount),
    plan_version: version,
    created_at: now,
    expires_at: new Date(now.getTime() + plan.investment.invoiceMinutes * 60_000),
  })
  return { invoice, address }
}

/**
 * Turns balance into principal at once, without a fee. `key`, of any length, makes a repeated request the same investment.
 *
 * @throws Refusal when the balance does not cover it, or the amount does not fit the plan.
 */
export async function investBalance(tx: Tx, memberId: bigint, amount: Micro, now: Date, key: string) {
  await lockMember(tx, memberId)
  const { version, plan } = await planAt(tx, now)
  const { balance, principal } = await balancesOf(tx, memberId)
  if (amount > balance) throw new Refusal('balance_too_small', { available: balance })
  refuseUnfit(plan, amount, principal)
  const at = await openInstant(tx, now)
  const journal = await post(tx, {
    key: `reinvest:${memberId}:${createHash('sha256').update(key).digest('hex')}`,
    kind: 'reinvest',
    memberId,
    at,
    movements: [{ kind: 'reinvest', amount }],
  })
  if (journal.replayed) return
  await recordInvestment(tx, {
    member_id: memberId,
    journal_id: journal.id,
    amount,
    value_after: micro(principal + amount),
    from_balance: true,
    txn_id: null,
    txid: null,
    plan_version: version,
    credited_at: at,
  })
}

/** Writes the entry of the investment history, and asks for the upline's commissions. */
async function recordInvestment(tx: Tx, investment: store.NewInvestment): Promise<void> {
  await store.insertInvestment(tx, investment)
  // One job for all that wait: it pays every investment that no run covers.
  await enqueue(tx, 'payout_runs.direct', {}, 'payout_runs.direct')
}

/** Unpaid invoices that money which arrived at `at` could be meant for, oldest first. */
export function unpaidInvoices(tx: Tx, memberId: bigint, at: Date): Promise<OpenInvoice[]> {
  return store.selectUnpaidInvoices(tx, memberId, at)
}

/** Marks the invoice that arrived money covers as paid, and records the investment. */
export async function recordInvoicePaid(
  tx: Tx,
  paid: Extract<DepositOutcome, { outcome: 'paid' | 'overpaid' }>,
  arrival: { memberId: bigint; journalId: bigint; txid: string; principalBefore: Micro; at: Date },
): Promise<void> {
  const { id, amount } = paid.invoice
  const { memberId, journalId, txid, principalBefore, at } = arrival
  const { version } = await planAt(tx, at)
  await recordInvestment(tx, {
    member_id: memberId,
    journal_id: journalId,
    amount,
    value_after: micro(principalBefore + amount),
    from_balance: false,
    txn_id: await store.markInvoicePaid(tx, memberId, id, txid),
    txid,
    plan_version: version,
    credited_at: at,
  })
}
