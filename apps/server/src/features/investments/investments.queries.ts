import { type DB, type Db, prepared } from '@aval/db'
import { micro } from '@aval/money'
import { type InvestedPart, type Lock, lockOf, type Plan, passiveProfit, spendableOf } from '@aval/plan'
import type { Selectable } from 'kysely'
import { countOf, query, queryOne } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { balancesOf, owedBy } from '../../ledger/ledger.queries.ts'
import { nextTerms } from '../payout-runs/rates/rates.queries.ts'
import { plansOf } from '../plan-versions/plan-versions.queries.ts'
import {
  assignUnconfirmed,
  type InvoiceView,
  type Unconfirmed,
  unfinishedSince,
  viewInvoice,
} from './investments.rules.ts'
import { type InvoiceRow, selectInvoice, selectOpenInvoices, selectUnfinished } from './investments.sql.ts'

/** What a member can invest now: at least (the first time more than later), of the balance; and what is invested already. */
export async function standingOf(db: Db, memberId: bigint, plan: Plan, now: Date) {
  const { spendable, principal } = await spendableBy(db, memberId)
  const { firstMinimum, topUpMinimum } = plan.investment
  return {
    minimum: principal === 0n ? firstMinimum : topUpMinimum,
    spendable,
    lock: await lockedOf(db, memberId, now),
  }
}

/** What is on its way to a member and not solidified, in the order in which it will be credited. */
async function selectUnconfirmed(db: Db, memberId: bigint) {
  return query<Unconfirmed>(db)`
    SELECT s.value, greatest(0, c.head_block - s.block + 1)::int AS confirmations
    FROM unconfirmed_transfer s CROSS JOIN (SELECT max(head_block) AS head_block FROM chain_cursor) c
    WHERE s.member_id = ${memberId} AND NOT EXISTS (
      SELECT FROM deposit_credit d WHERE d.member_id = s.member_id AND d.txid = s.txid AND d.position = s.position)
    ORDER BY s.block, s.txid, s.position`
}

/** What was credited for an invoice: in time, and after it had ended. */
async function selectCredited(db: Db, { member_id, id }: InvoiceRow) {
  return queryOne<{ in_time: bigint; late: bigint }>(db)`
    SELECT coalesce(sum(amount) FILTER (WHERE outcome <> 'late'), 0)::bigint AS in_time,
      coalesce(sum(amount) FILTER (WHERE outcome = 'late'), 0)::bigint AS late
    FROM deposit_credit WHERE member_id = ${member_id} AND invoice_id = ${id}`
}

/** The investment that an invoice became. */
const selectBecame = (db: Db, { member_id, txn_id }: InvoiceRow) =>
  db
    .selectFrom('investment')
    .select(['unlocks_at', 'credited_at'])
    .where('member_id', '=', member_id)
    .where('txn_id', '=', txn_id)
    .executeTakeFirst()

/** What one that is paid brings: until when it is locked, and what its first day pays: an estimate, by what is declared. */
async function promisedBy(db: Db, invoice: InvoiceRow) {
  const became = invoice.state === 'paid' ? await selectBecame(db, invoice) : undefined
  if (became === undefined) return null
  const next = await nextTerms(db, await plansOf(db), became.credited_at)
  return {
    unlocksAt: became.unlocks_at,
    day: next?.day ?? null,
    amount: next === null ? null : passiveProfit(next.terms, invoice.amount, micro(0n)),
  }
}

export interface StoredInvoiceStatus {
  readonly invoice: InvoiceRow
  readonly promised: Awaited<ReturnType<typeof promisedBy>>
  readonly view: InvoiceView
  /** The moment of which this is true. */
  readonly now: Date
  readonly address: string
  /** What arrives counts for this older one first; null where there is none. */
  readonly behind: InvoiceRow | null
}

async function statusOf(
  db: Db,
  invoice: InvoiceRow,
  now: Date,
  confirmsNeeded: number,
): Promise<StoredInvoiceStatus> {
  const { member_id: memberId, id } = invoice
  const { in_time, late } = await selectCredited(db, invoice)
  const open = await selectOpenInvoices(db, memberId)
  const assigned = assignUnconfirmed(await selectUnconfirmed(db, memberId), open)
  const onTheWay = assigned.get(id) ?? null
  const facts = { ...invoice, onTheWay, inTime: micro(in_time), late: micro(late) }
  return {
    invoice,
    promised: await promisedBy(db, invoice),
    now,
    view: viewInvoice(facts, now, confirmsNeeded),
    // Who has an invoice has an address.
    address: (await depositAddressOf(db, memberId)) ?? '',
    behind:
      open.find((other) => other.id < id && other.expires_at >= now && invoice.state === 'open') ?? null,
  }
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
  return statusOf(db, invoice, now, confirmsNeeded)
}

/** What a member has not finished paying, oldest first: open invoices, and those that ended lately with money that came. */
export async function unfinishedInvoices(
  db: Db,
  memberId: bigint,
  now: Date,
  confirmsNeeded: number,
): Promise<StoredInvoiceStatus[]> {
  const invoices = await selectUnfinished(db, memberId, unfinishedSince(now))
  const statuses: StoredInvoiceStatus[] = []
  for (const invoice of invoices) statuses.push(await statusOf(db, invoice, now, confirmsNeeded))
  return statuses
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
    WHERE i.member_id = ${memberId} ORDER BY i.credited_at DESC, i.id DESC LIMIT ${limit} OFFSET ${offset}`
  return { rows, count: await countOf(db)`investment WHERE member_id = ${memberId}` }
}

/** What a member's investments still have, in the order in which they unlock; what was reversed is none of them. */
export async function partsOf(db: Db, memberId: bigint): Promise<InvestedPart[]> {
  const rows = await query<{ amount: bigint; investedAt: Date; unlocksAt: Date }>(db)`${prepared}
    SELECT amount, credited_at AS "investedAt", unlocks_at AS "unlocksAt" FROM investment_left
    WHERE member_id = ${memberId} ORDER BY unlocks_at, investment_id`
  return rows.map((row) => ({ ...row, amount: micro(row.amount) }))
}

/** How a member's principal is locked. @param now business time */
export const lockedOf = async (db: Db, memberId: bigint, now: Date): Promise<Lock> =>
  lockOf(await partsOf(db, memberId), now)

/** What of a member's balance can be invested or withdrawn, and what is owed of it. */
export async function spendableBy(db: Db, memberId: bigint) {
  const { balance, principal } = await balancesOf(db, memberId)
  const { profit, commission } = await owedBy(db, memberId)
  const owed = micro(profit + commission)
  return { balance, principal, owed, spendable: spendableOf(balance, owed) }
}

/** Null before the first invoice. */
export async function depositAddressOf(db: Db, memberId: bigint): Promise<string | null> {
  const row = await db
    .selectFrom('deposit_address')
    .select('address')
    .where('member_id', '=', memberId)
    .executeTakeFirst()
  return row?.address ?? null
}
