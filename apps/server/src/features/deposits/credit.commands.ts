import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { applyDeposit, dueOn, endOfTerm } from '@aval/plan'
import { z } from 'zod'
import type { JobContext } from '../../core/context.ts'
import { eachIsolated, inPages } from '../../core/isolated.ts'
import { HOUSE, lockMember, openInstant } from '../../ledger/ledger.commands.ts'
import { mailOf } from '../investments/announce.commands.ts'
import { askForCommissions } from '../investments/investments.commands.ts'
import { endedInvoice, invoiceAwaiting, type Tell, tellNobody } from '../investments/invoices.commands.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { scheduleCheck } from '../reserves/check.commands.ts'
import {
  type Arrival,
  insertCompanyCredit,
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
 *
 * @param tell tells the member, in the same transaction
 */
export async function creditTransfer(
  db: Database,
  txid: string,
  position: number,
  now: Date,
  tell: Tell = tellNobody,
) {
  return inTransaction(db, async (tx) => {
    const owner = await selectOwner(tx, txid, position)
    if (owner === undefined) throw new Error(`no creditable transfer ${txid}:${position}`)
    if (owner.member_id !== HOUSE) await lockMember(tx, owner.member_id)
    const arrivals = await selectUncreditedOf(tx, owner.member_id, owner.seq)
    let credited = 0
    for (const arrival of arrivals) {
      const isCompany = owner.member_id === HOUSE
      const isNew = await (isCompany
        ? insertCompanyCredit(tx, arrival, now)
        : creditMember(tx, arrival, now, tell))
      if (isNew) credited += 1
    }
    return credited
  })
}

/** To the member's oldest open invoice, or, where none is open, to the balance. */
async function creditMember(tx: Tx, arrival: Arrival, now: Date, tell: Tell): Promise<boolean> {
  const { memberId, value, arrivedAt, txid, position } = arrival
  const received = { memberId, txid, position, amount: value, at: arrivedAt }
  const at = await openInstant(tx, now)
  const invoice = await invoiceAwaiting(tx, memberId, arrivedAt, now, tell)
  if (invoice === undefined) {
    const invoiceId = await endedInvoice(tx, memberId, arrivedAt)
    const outcome = invoiceId === null ? 'no_invoice' : 'late'
    const isNew = await insertCredit(tx, arrival, at, { outcome, invoiceId, part: 0n, planVersion: null })
    if (isNew) await tell(tx, { received: { ...received, late: outcome === 'late' } })
    return isNew
  }
  const { outcome, part, toBalance: surplus } = applyDeposit(value, invoice)
  const { version, plan } = await planAt(tx, at)
  // The commissions of an investment that this makes.
  if (outcome !== 'part') await askForCommissions(tx)
  const became = { outcome, invoiceId: invoice.id, part, planVersion: version }
  if (!(await insertCredit(tx, arrival, at, became))) return false
  const { amount, fee, txn_id: name } = invoice
  const missing = micro(dueOn(invoice) - invoice.received - part)
  if (outcome === 'part') await tell(tx, { received: { ...received, missing, until: invoice.expires_at } })
  else {
    const unlocksAt = endOfTerm(plan, at)
    await tell(tx, { invested: { memberId, name, amount, fee, surplus, txid, at, unlocksAt } })
  }
  return true
}

/** Credits whatever waits, whether its job is to come or was lost; answers how much it was. */
export async function creditUncredited(db: Database, now: Date, tell: Tell = tellNobody): Promise<number> {
  let credited = 0
  const waiting = inPages(
    (after, limit) => selectUncredited(db, after, limit),
    ({ seq }) => seq,
  )
  await eachIsolated(waiting, async ({ txid, position }) => {
    credited += await creditTransfer(db, txid, position, now, tell)
  })
  return credited
}

const creditPayload = z.object({ txid: z.string().regex(/^[0-9a-f]{64}$/), position: z.int().min(-1) })

export const depositsJobs = ({ db, clock, config, systemNow }: JobContext) => ({
  'deposits.credit': async (payload: unknown) => {
    const { txid, position } = creditPayload.parse(payload)
    await creditTransfer(db, txid, position, await clock.now(), mailOf(config, systemNow()))
    await scheduleCheck(db, systemNow())
  },
  'deposits.catch_up': async () => {
    await creditUncredited(db, await clock.now(), mailOf(config, systemNow()))
  },
})
