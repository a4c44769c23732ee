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
import { lockMember } from '../../../ledger/ledger.commands.ts'
import { membersOwing } from '../../../ledger/ledger.queries.ts'
import { propose } from '../../decisions/decisions.commands.ts'
import { midnightsDue } from '../runs/runs.commands.ts'
import { previewReversal } from './reversals.queries.ts'
import { recoverReceivable } from './reversals.sql.ts'

export interface Reversing {
  readonly investmentId: bigint | null
  readonly operatorId: bigint
  readonly reason: string
  /** Business time. */
  readonly now: Date
}

/**
 * Proposes to reverse an investment; answers the decision's number. What it takes back from whom the database finds, when it is proposed and
 * again when it is signed.
 *
 * @throws Refusal when it cannot be reversed, or was.
 */
export async function proposeReversal(tx: Tx, asked: Reversing): Promise<bigint> {
  const { investmentId, operatorId, reason, now } = asked
  const { investment } = await previewReversal(tx, investmentId)
  // A day that began before and has no run yet will pay on it.
  if ((await midnightsDue(tx, now)).length > 0) throw new Refusal('investment_unsettled')
  const given = { investment: String(investment.id), reason }
  const about = { kind: 'reverse_investment', subject: `investment:${investment.id}`, given } as const
  return propose(tx, { ...about, operatorId, now })
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
