import { type Database, inTransaction, type Tx } from '@aval/db'
import { applyDeposit, type DepositOutcome, type OpenInvoice } from '@aval/plan'
import { z } from 'zod'
import type { JobContext } from '../../core/context.ts'
import { eachIsolated, inPages } from '../../core/isolated.ts'
import {
  HOUSE,
  lockHouse,
  lockMember,
  type Movement,
  openInstant,
  post,
} from '../../ledger/ledger.commands.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { endedInvoice, invoiceAwaiting, receiveForInvoice } from '../investments/invoices.commands.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import {
  type Arrival,
  insertCredit,
  selectOwner,
  selectUncredited,
  selectUncreditedOf,
} from './deposits.sql.ts'

/**
 * Credits a solidified transfer, once: to an open invoice, to the balance, or to the company's capital. What came
 * before it to the same member and still waits is credited first, because the order decides which invoice it counts for.
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

/** Posts a transfer, and keeps what became of it. Answers the journal. */
async function book(
  tx: Tx,
  { txid, position, memberId, value }: Arrival,
  at: Date,
  became: { movements: readonly Movement[]; outcome: string; invoiceId: bigint | null },
): Promise<bigint> {
  const key = `deposit:${txid}:${position}`
  const journal = await post(tx, { key, kind: 'deposit', memberId, at, movements: became.movements })
  await insertCredit(tx, {
    txid,
    position,
    member_id: memberId,
    journal_id: journal.id,
    amount: value,
    outcome: became.outcome,
    invoice_id: became.invoiceId,
    credited_at: at,
  })
  return journal.id
}

async function creditCompany(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const kind = companyMovement(arrival)
  const movements = [{ kind, amount: arrival.value }] as const
  const outcome = kind === 'refill_hot' ? 'refill' : 'company'
  await book(tx, arrival, now, { movements, outcome, invoiceId: null })
}

/** To the member's oldest open invoice, or, where none is open, to the balance. */
async function creditMember(tx: Tx, arrival: Arrival, now: Date): Promise<void> {
  const { txid, memberId, value, arrivedAt } = arrival
  const at = await openInstant(tx, now)
  const invoice = await invoiceAwaiting(tx, memberId, arrivedAt, now)
  if (invoice === undefined) {
    const movements: Movement[] = [{ kind: 'deposit_to_balance', amount: value }]
    const invoiceId = await endedInvoice(tx, memberId, arrivedAt)
    await book(tx, arrival, at, { movements, outcome: invoiceId === null ? 'no_invoice' : 'late', invoiceId })
    return
  }
  const { principal } = await balancesOf(tx, memberId)
  const settlement = applyDeposit(value, invoice)
  const { outcome } = settlement
  const movements = movementsFor(invoice, settlement)
  const journalId = await book(tx, arrival, at, { movements, outcome, invoiceId: invoice.id })
  await receiveForInvoice(tx, invoice, settlement, { journalId, txid, principalBefore: principal, at })
}

/** What one transfer pays whole never passes through `pending`. */
function movementsFor({ amount, fee, received }: OpenInvoice, settlement: DepositOutcome): Movement[] {
  const { outcome, part, toBalance } = settlement
  if (outcome === 'part') return [{ kind: 'deposit_to_pending', amount: part }]
  const paid: Movement[] =
    received === 0n
      ? [
          { kind: 'deposit_to_principal', amount },
          { kind: 'deposit_fee', amount: fee },
        ]
      : [
          { kind: 'deposit_to_pending', amount: part },
          { kind: 'pending_to_principal', amount },
          { kind: 'pending_fee', amount: fee },
        ]
  return [...paid, { kind: 'deposit_to_balance', amount: toBalance }]
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
