import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { applyDeposit } from '@aval/plan'
import { z } from 'zod'
import type { JobContext } from '../../core/context.ts'
import { eachIsolated, inPages } from '../../core/isolated.ts'
import { HOUSE, lockHouse, lockMember, openInstant, post } from '../../ledger/ledger.commands.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { recordInvoicePaid, unpaidInvoices } from '../investments/investments.commands.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import {
  type Arrival,
  insertCredit,
  selectOwner,
  selectUncredited,
  selectUncreditedOf,
} from './deposits.sql.ts'

/**
 * Credits a solidified transfer, once: to the invoice it settles, to the balance, or to the company's capital. What came
 * before it to the same member and still waits is credited first, because the order decides which invoice is settled.
 *
 * Safe to call any number of times, at once and after a crash: the key of the transfer stands in the journal and in the
 * credits. Answers how many were credited.
 */
export async function creditTransfer(db: Database, txid: string, position: number, now: Date) {
  return inTransaction(db, async (tx) => {
    const owner = await selectOwner(tx, txid, position)
    if (owner === undefined) throw new Error(`no creditable transfer ${txid}:${position}`)
    await (owner.member_id === HOUSE ? lockHouse(tx) : lockMember(tx, owner.member_id))
    const arrivals = await selectUncreditedOf(tx, owner.member_id, owner.seq)
    for (const arrival of arrivals) {
      if (owner.member_id === HOUSE) await creditCompany(tx, arrival, now)
      else await creditMember(tx, arrival, now)
    }
    return arrivals.length
  })
}

/** Where money of the company's came in, or went from one of its wallets to the other. */
function companyMovement({ role, fromCold }: Arrival) {
  switch (role) {
    case 'deposit':
      return 'company_deposit'
    case 'hot':
      return fromCold ? 'refill_hot' : 'company_deposit_hot'
    case 'cold':
      return 'company_deposit_cold'
    default:
      throw new Error(`a transfer to no known kind of address: ${role satisfies never}`)
  }
}

async function creditCompany(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const { txid, position } = arrival
  const kind = companyMovement(arrival)
  const journal = await post(tx, {
    key: `deposit:${txid}:${position}`,
    kind: 'deposit',
    memberId: HOUSE,
    at: now,
    movements: [{ kind, amount: arrival.value }],
  })
  await insertCredit(tx, {
    txid,
    position,
    member_id: HOUSE,
    journal_id: journal.id,
    amount: arrival.value,
    outcome: kind === 'refill_hot' ? 'refill' : 'company',
    invoice_id: null,
    credited_at: now,
  })
}

async function creditMember(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const { txid, position, memberId, value, arrivedAt } = arrival
  const at = await openInstant(tx, now)
  const { principal } = await balancesOf(tx, memberId)
  const settlement = applyDeposit(value, arrivedAt, await unpaidInvoices(tx, memberId, arrivedAt))
  const settled = settlement.outcome === 'paid' || settlement.outcome === 'overpaid'
  const journal = await post(tx, {
    key: `deposit:${txid}:${position}`,
    kind: 'deposit',
    memberId,
    at,
    movements: [
      { kind: 'deposit_to_principal', amount: settled ? settlement.invoice.amount : micro(0n) },
      { kind: 'deposit_fee', amount: settled ? settlement.invoice.fee : micro(0n) },
      { kind: 'deposit_to_balance', amount: settlement.toBalance },
    ],
  })
  await insertCredit(tx, {
    txid,
    position,
    member_id: memberId,
    journal_id: journal.id,
    amount: value,
    outcome: settlement.outcome,
    invoice_id: settlement.invoice?.id ?? null,
    credited_at: at,
  })
  if (settlement.outcome === 'paid' || settlement.outcome === 'overpaid') {
    const credit = { memberId, journalId: journal.id, txid, principalBefore: principal, at }
    await recordInvoicePaid(tx, settlement, credit)
  }
}

/** Credits whatever waits, whether its job is to come or was lost; answers how much it was. */
export async function creditUncredited(db: Database, now: Date): Promise<number> {
  let credited = 0
  const waiting = inPages(
    (after, limit) => selectUncredited(db, after, limit),
    ({ seq }) => seq,
  )
  await eachIsolated(waiting, async ({ txid, position }) => {
    credited += await creditTransfer(db, txid, position, now)
  })
  return credited
}

const creditPayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), position: z.int().min(-1) })

export const depositsJobs = ({ db, clock, systemNow }: JobContext) => ({
  'deposits.credit': async (payload: unknown) => {
    const { txid, position } = creditPayload.parse(payload)
    await creditTransfer(db, txid, position, await clock.now())
    await scheduleCheck(db, systemNow())
  },
  'deposits.catch_up': async () => {
    await creditUncredited(db, await clock.now())
  },
})
