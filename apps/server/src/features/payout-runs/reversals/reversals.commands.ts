/**
 * Reversing an investment (clawback).
 *
 * Principal goes back to its member's balance. What the investment had paid is taken back to the micro-USDT: each
 * commission from whom it was paid to, and the part of the member's passive profit that rested on it. It is taken from
 * balances first; what they do not cover is owed. The points it gave are taken off the legs by the next match. Nothing that
 * was written is changed.
 */
import type { Tx } from '@aval/db'
import { micro } from '@aval/money'
import { Refusal } from '../../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../../ledger/ledger.commands.ts'
import { midnightsDue } from '../runs/runs.commands.ts'
import { type Part, previewReversal, type ReversalParts, takenBack } from './reversals.queries.ts'
import { insertPart, insertReversal, selectReversible } from './reversals.sql.ts'

function movementsOf({ pool, amount, fromBalance }: Part) {
  return [
    { kind: pool === 'profit' ? 'clawback_profit' : 'clawback_commission', amount: fromBalance },
    { kind: pool === 'profit' ? 'owed_profit' : 'owed_commission', amount: micro(amount - fromBalance) },
  ] as const
}

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
  if ((await midnightsDue(tx, at)).midnights.length > 0) throw new Refusal('investment_unsettled')
  const reversal = await previewReversal(tx, investmentId)
  const { investment, parts } = reversal
  const journal = await post(tx, {
    key: `reverse:${investment.id}`,
    kind: 'reverse',
    memberId: investment.member_id,
    at,
    movements: [{ kind: 'reverse_investment', amount: micro(investment.amount) }],
  })
  const reversalId = await insertReversal(tx, {
    memberId: investment.member_id,
    investmentId: investment.id,
    journalId: journal.id,
    amount: investment.amount,
    reason: request.reason,
    by: request.operatorId,
    at,
  })
  if (reversalId === null) throw new Refusal('investment_reversed')
  for (const [leg, part] of parts.entries()) {
    await post(tx, {
      key: `reverse:${investment.id}:${leg}`,
      kind: 'clawback',
      memberId: part.memberId,
      at,
      movements: movementsOf(part),
    })
    await insertPart(tx, { ...part, reversalId, leg, at })
  }
  return reversal
}
