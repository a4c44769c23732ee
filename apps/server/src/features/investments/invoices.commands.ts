/**
 * Invoices: what a member asked to invest, and what has come for it.
 *
 * An invoice is *open* until it is *paid*, *expired* or *cancelled*. What comes meanwhile stands in the member's account
 * `pending`. It becomes principal and fee when the sum is complete, and goes to the balance when the invoice ends without.
 */
import { randomBytes } from 'node:crypto'
import { type Database, inTransaction, type Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { completeFromBalance, endOfTerm, feeOn } from '@aval/plan'
import { eachIsolated, inPages } from '../../core/isolated.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant } from '../../ledger/ledger.commands.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { requireNotFrozen } from '../identity/freezing/freezing.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import {
  askForCommissions,
  refuseUnfit,
  requireBalanceToday,
  requireSpendable,
} from './investments.commands.ts'
import type { Expired, Invested, Received } from './investments.rules.ts'
import * as store from './investments.sql.ts'

/** What became of a member's money. */
export type Became =
  | { readonly invested: Invested }
  | { readonly received: Received }
  | { readonly expired: Expired }
/** Tells its member, in the transaction that books it. */
export type Tell = (tx: Tx, became: Became) => Promise<void>
export const tellNobody: Tell = async () => undefined

export interface InvoiceToPay {
  readonly invoice: store.InvoiceRow
  readonly address: string
}

/**
 * Asks for an on-chain investment of `amount`. The same amount while one is open answers that one.
 *
 * @throws Refusal below the minimum, above the maximum, with too many invoices open, or where no address is left.
 */
export async function createInvoice(
  tx: Tx,
  memberId: bigint,
  amount: Micro,
  now: Date,
): Promise<InvoiceToPay> {
  await lockMember(tx, memberId)
  const { version, plan } = await planAt(tx, now)
  const open = (await store.selectOpenInvoices(tx, memberId)).filter(({ expires_at }) => expires_at >= now)
  const same = open.find((invoice) => invoice.amount === amount)
  if (same !== undefined) return { invoice: same, address: await claimAddress(tx, memberId) }
  const { principal } = await balancesOf(tx, memberId)
  refuseUnfit(plan, amount, principal)
  if (open.length >= plan.investment.openInvoices) throw new Refusal('too_many_open_invoices')
  const address = await claimAddress(tx, memberId)
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

/** The member's address for good: the next that the signer derived, at the first invoice. @throws Refusal no_address_left */
export async function claimAddress(tx: Tx, memberId: bigint): Promise<string> {
  const address = await store.claimAddress(tx, memberId)
  if (address === null) throw new Refusal('no_address_left')
  return address
}

/** The member's open invoice of this public id, locked. @throws Refusal invoice_not_found, invoice_ended */
async function lockOpen(tx: Tx, memberId: bigint, txnId: string): Promise<store.InvoiceRow> {
  await lockMember(tx, memberId)
  const invoice = await store.selectInvoice(tx, txnId, memberId)
  if (invoice === undefined) throw new Refusal('invoice_not_found')
  if (invoice.state !== 'open') throw new Refusal('invoice_ended')
  return invoice
}

/**
 * Completes an invoice with what the balance has, at once. What came by chain pays its share of the fee.
 *
 * @throws Refusal invoice_not_found; account_frozen; invoice_ended; debt_first; balance_too_small
 */
export async function completeInvoice(tx: Tx, memberId: bigint, txnId: string, now: Date): Promise<Invested> {
  const invoice = await lockOpen(tx, memberId, txnId)
  await requireNotFrozen(tx, memberId)
  if (invoice.expires_at < now) throw new Refusal('invoice_ended')
  const { fromBalance, fee } = completeFromBalance(invoice)
  await requireSpendable(tx, memberId, fromBalance)
  const at = await openInstant(tx, now)
  const { version: planVersion, plan } = await planAt(tx, at)
  // One that the balance pays alone is an investment of the balance; one that was begun by a transfer is completed however often.
  if (invoice.received === 0n) await requireBalanceToday(tx, memberId, plan, at)
  await store.updateCompleted(tx, invoice, { fee, planVersion, at, closedAt: now })
  await askForCommissions(tx)
  return { memberId, name: invoice.txn_id, amount: invoice.amount, fee, at, unlocksAt: endOfTerm(plan, at) }
}

/** What came for it goes to the balance, in full; what still comes will, too. @throws Refusal invoice_not_found; invoice_ended */
export async function cancelInvoice(tx: Tx, memberId: bigint, txnId: string, now: Date): Promise<void> {
  await store.updateEnded(tx, await lockOpen(tx, memberId, txnId), 'cancelled', now)
}

/** Ends what ended before `until`: an instant up to which all that came for this member, who is locked, has been credited. */
async function expire(tx: Tx, memberId: bigint, until: Date, now: Date, tell: Tell): Promise<void> {
  for (const invoice of await store.selectOpenInvoices(tx, memberId)) {
    const { expires_at: at, received: toBalance, txn_id: name, amount } = invoice
    if (at >= until) continue
    await store.updateEnded(tx, invoice, 'expired', now)
    if (toBalance > 0n) await tell(tx, { expired: { memberId, name, amount, toBalance, at } })
  }
}

/** The oldest invoice that was open at `arrivedAt`, the next transfer to credit; those that had ended by then are ended. */
export async function invoiceAwaiting(tx: Tx, memberId: bigint, arrivedAt: Date, now: Date, tell: Tell) {
  await expire(tx, memberId, arrivedAt, now, tell)
  return (await store.selectOpenInvoices(tx, memberId))[0]
}

/** The latest invoice that had ended unpaid by `arrivedAt`, if one did lately: what came then was probably meant for it. */
export const endedInvoice = store.selectEndedInvoice

/** Ends the invoices that ended unpaid, once the chain has been read up to their end and all that came is credited. */
export async function expireInvoices(db: Database, now: Date, tell = tellNobody): Promise<void> {
  const scannedAt = await store.selectScannedAt(db)
  if (scannedAt === null) return
  const until = scannedAt < now ? scannedAt : now
  const members = inPages(
    (after, limit) => store.selectMembersToExpire(db, until, after, limit),
    ({ member_id }) => member_id,
  )
  await eachIsolated(members, ({ member_id: memberId }) =>
    inTransaction(db, async (tx) => {
      await lockMember(tx, memberId)
      // A transfer may have been recorded since: its credit, which waits for this lock, comes first.
      if (await store.hasUncredited(tx, memberId)) return
      await expire(tx, memberId, until, now, tell)
    }),
  )
}
