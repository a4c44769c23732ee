import type { Database, Tx } from '@aval/db'
import { inTransaction } from '@aval/db'
import type { Micro } from '@aval/money'
import { micro } from '@aval/money'
import { settle } from '@aval/plan'
import { HOUSE, lockMember, openInstant, post, selectBalances } from '../../ledger/ledger.commands.ts'
import { settleInvoice, unpaidInvoices } from '../plans/plans.commands.ts'
import { insertCredit, selectCredit, selectCreditable, selectUncredited } from './deposits.sql.ts'

interface Arrival {
  readonly memberId: bigint
  readonly value: Micro
  readonly arrivedAt: Date
}

/**
 * Credits one solidified transfer, once: to the invoice it settles, to the balance, or to the company's capital.
 *
 * Safe to call any number of times, at once and after a crash: the key of the transfer stands in the journal and in the
 * credits. Answers false when it had been credited before.
 */
export async function creditTransfer(
  db: Database,
  txid: string,
  position: number,
  now: Date,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const arrival = await selectCreditable(tx, txid, position)
    if (arrival === undefined) throw new Error(`no creditable transfer ${txid}:${position}`)
    await lockMember(tx, arrival.memberId)
    if ((await selectCredit(tx, txid, position)) !== undefined) return false
    if (arrival.memberId === HOUSE) await creditCompany(tx, txid, position, arrival, now)
    else await creditMember(tx, txid, position, arrival, now)
    return true
  })
}

async function creditCompany(
  tx: Tx,
  txid: string,
  position: number,
  arrival: Arrival,
  now: Date,
): Promise<void> {
  const journal = await post(tx, {
    key: `deposit:${txid}:${position}`,
    kind: 'deposit',
    memberId: HOUSE,
    at: now,
    movements: [{ kind: 'company_deposit', amount: arrival.value }],
  })
  await insertCredit(tx, {
    txid,
    position,
    member_id: HOUSE,
    journal_id: journal.id,
    amount: arrival.value,
    outcome: 'company',
    invoice_id: null,
    credited_at: now,
  })
}

async function creditMember(
  tx: Tx,
  txid: string,
  position: number,
  arrival: Arrival,
  now: Date,
): Promise<void> {
  const { memberId, value, arrivedAt } = arrival
  const at = await openInstant(tx, now)
  const { principal } = await selectBalances(tx, memberId)
  const settlement = settle(value, arrivedAt, await unpaidInvoices(tx, memberId, arrivedAt))
  const settled = settlement.outcome === 'settled' || settlement.outcome === 'settled_over'
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
  if (settlement.outcome === 'settled' || settlement.outcome === 'settled_over') {
    await settleInvoice(tx, settlement, {
      memberId,
      journalId: journal.id,
      txid,
      principalBefore: principal,
      at,
    })
  }
}

/** Credits what a lost job left behind, at most a thousand a call; answers how many. */
export async function creditLeftBehind(db: Database, now: Date): Promise<number> {
  const waiting = await selectUncredited(db, 1000)
  for (const { txid, position } of waiting) await creditTransfer(db, txid, position, now)
  return waiting.length
}
