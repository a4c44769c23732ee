/**
 * Reversing an investment (clawback).
 *
 * Principal goes back to its member's balance. What the investment had paid is taken back to the micro-USDT: each
 * commission from whom it was paid to, and the part of the member's passive profit that rested on it. It is taken from
 * balances first; what they do not cover is owed. The points it gave are taken off the legs by the next match. Nothing that
 * was written is changed.
 */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { eachIsolated, inPages } from '../../../core/isolated.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../../ledger/ledger.commands.ts'
import { balancesOf, membersOwing, owedBy } from '../../../ledger/ledger.queries.ts'
import { midnightsDue } from '../runs/runs.commands.ts'
import {
  type Part,
  previewReversal,
  type ReversalParts,
  selectReversible,
  takenBack,
} from './reversals.queries.ts'
import { countParts, insertPart, insertReversal } from './reversals.sql.ts'

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
    member_id: investment.member_id,
    investment_id: investment.id,
    journal_id: journal.id,
    amount: investment.amount,
    reason: request.reason,
    reversed_by: request.operatorId,
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
    await insertPart(tx, {
      member_id: part.memberId,
      reversal_id: reversalId,
      leg,
      pool: part.pool,
      amount: part.amount,
      from_balance: part.fromBalance,
      run_id: part.runId,
      item_leg: part.itemLeg,
      at,
    })
  }
  return reversal
}

const lesser = (left: bigint, right: bigint) => micro(left < right ? left : right)

/** Takes what a member owes out of the balance, as far as it goes: commission first, then profit. */
async function recoverFrom(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await lockMember(tx, memberId)
  const { balance } = await balancesOf(tx, memberId)
  const owed = await owedBy(tx, memberId)
  const commission = lesser(balance, owed.commission)
  const profit = lesser(balance - commission, owed.profit)
  if (commission + profit === 0n) return
  await post(tx, {
    // What is owed falls with every recovery, and rises with every reversal only: the same key never comes again.
    key: `recover:${memberId}:${owed.commission}:${owed.profit}:${await countParts(tx, memberId)}`,
    kind: 'recover',
    memberId,
    at: now,
    movements: [
      { kind: 'recover_commission', amount: commission },
      { kind: 'repay_commission', amount: commission },
      { kind: 'recover_profit', amount: profit },
      { kind: 'repay_profit', amount: profit },
    ],
  })
}

/** Recovers receivables from balances as soon as there is one. Few members ever owe anything. */
export async function recoverOwed(db: Database, now: Date): Promise<void> {
  const owing = inPages(
    (after, limit) => membersOwing(db, after, limit),
    (id) => id,
  )
  await eachIsolated(owing, (memberId) => inTransaction(db, (tx) => recoverFrom(tx, memberId, now)))
}
