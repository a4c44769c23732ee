/**
 * Reversing an investment (clawback).
 *
 * Principal goes back to its member's balance. What the investment had paid is taken back to the micro-USDT: each
 * commission from whom it was paid to, and the part of the member's passive profit that rested on it. It is taken from
 * balances first; what they do not cover is owed. The points it gave are taken off the legs by the next match. Nothing that
 * was written is changed.
 */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { eachIsolated, inPages } from '../../../core/isolated.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockMember, openInstant } from '../../../ledger/ledger.commands.ts'
import { membersOwing } from '../../../ledger/ledger.queries.ts'
import { midnightsDue } from '../runs/runs.commands.ts'
import { previewReversal, type ReversalParts, selectReversible, takenBack } from './reversals.queries.ts'
import { insertReversal, recoverReceivable } from './reversals.sql.ts'

/** Reverses an investment, once. @throws Refusal when it cannot be reversed, or was. */
export async function reverseInvestment(
  tx: Tx,
  request: { investmentId: bigint | null; operatorId: bigint; reason: string; now: Date },
): Promise<ReversalParts> {
  const { investmentId, now } = request
  const first = investmentId === null ? undefined : await selectReversible(tx, investmentId)
  if (first === undefined) throw new Refusal('investment_not_found')
  // All members concerned are known before the first is locked, and are locked in order.
  const touched = new Set([first.member_id, ...(await takenBack(tx, first)).map(({ memberId }) => memberId)])
  for (const memberId of [...touched].sort((left, right) => (left < right ? -1 : 1)))
    await lockMember(tx, memberId)
  // Members before the period: the order in which all locks are taken.
  const at = await openInstant(tx, now)
  // A day that began before and has no run yet will pay on it; with the period held open, none is opened meanwhile.
  if ((await midnightsDue(tx, at)).length > 0) throw new Refusal('investment_unsettled')
  const reversal = await previewReversal(tx, investmentId)
  // Somebody may have been first while the locks were waited for.
  if (reversal.investment.reversed) throw new Refusal('investment_reversed')
  await insertReversal(tx, reversal, { reason: request.reason, operatorId: request.operatorId, at })
  return reversal
}

/** Takes what a member owes out of the balance, as far as it goes. */
async function recoverFrom(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await lockMember(tx, memberId)
  await recoverReceivable(tx, memberId, now)
}

/** Recovers receivables from balances as soon as there is one. Few members ever owe anything. */
export async function recoverOwed(db: Database, now: Date): Promise<void> {
  const owing = inPages(
    (after, limit) => membersOwing(db, after, limit),
    (id) => id,
  )
  await eachIsolated(owing, (memberId) => inTransaction(db, (tx) => recoverFrom(tx, memberId, now)))
}
