import { createHash } from 'node:crypto'
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { addDays, dayAt, dayStart, endOfTerm, investmentRefusal, type Plan } from '@aval/plan'
import { enqueue } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant } from '../../ledger/ledger.commands.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'
import { requireNotFrozen } from '../identity/freezing/freezing.queries.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { spendableBy } from './investments.queries.ts'
import type { Invested } from './investments.rules.ts'
import * as store from './investments.sql.ts'

/** @throws Refusal where the amount does not fit the plan and what the member has invested. */
export function refuseUnfit(plan: Plan, amount: Micro, principal: Micro): void {
  const refusal = investmentRefusal(plan, amount, principal)
  if (refusal !== null) throw new Refusal(refusal.code, { limit: refusal.limit })
}

/** @throws Refusal `debt_first` where what the member owes would be spent; `balance_too_small` */
export async function requireSpendable(tx: Tx, memberId: bigint, amount: Micro): Promise<void> {
  const { balance, owed, spendable } = await spendableBy(tx, memberId)
  if (amount <= spendable) return
  if (amount <= balance) throw new Refusal('debt_first', { owed, available: spendable })
  throw new Refusal('balance_too_small', { available: spendable })
}

/**
 * The balance is invested so often a day: each time asks for commissions of a whole upline. The database counts as well.
 * @param at business time, held open
 * @throws Refusal `balance_daily_limit`, which says when the next is possible
 */
export async function requireBalanceToday(tx: Tx, memberId: bigint, plan: Plan, at: Date): Promise<void> {
  const { balanceADay: limit } = plan.investment
  const today = dayAt(at, plan.timeZone)
  const made = await store.countFromBalance(tx, memberId, dayStart(today, plan.timeZone))
  if (made < limit) return
  throw new Refusal('balance_daily_limit', {
    limit,
    count: limit,
    next: dayStart(addDays(today, 1), plan.timeZone),
  })
}

/**
 * Turns balance into principal at once, without a fee. `key`, of any length, makes a repeated request the same investment.
 *
 * @returns what is invested; null where this request did so before
 * @throws Refusal `account_frozen`, `debt_first`, `balance_daily_limit`, and when the balance does not cover it, or the amount does not fit the plan.
 */
export async function investBalance(
  tx: Tx,
  memberId: bigint,
  amount: Micro,
  now: Date,
  key: string,
): Promise<Invested | null> {
  await lockMember(tx, memberId)
  await requireNotFrozen(tx, memberId)
  const { version, plan } = await planAt(tx, now)
  await requireSpendable(tx, memberId, amount)
  const { principal } = await balancesOf(tx, memberId)
  refuseUnfit(plan, amount, principal)
  const at = await openInstant(tx, now)
  const request = createHash('sha256').update(key).digest('hex')
  // What was invested before is answered as before.
  if (!(await store.hasReinvested(tx, memberId, request))) await requireBalanceToday(tx, memberId, plan, at)
  if (!(await store.insertReinvestment(tx, { memberId, request, amount, planVersion: version, at })))
    return null
  await askForCommissions(tx)
  return { memberId, name: `balance:${request}`, amount, at, unlocksAt: endOfTerm(plan, at) }
}

/** Asks for the upline's commissions: one job for all that wait, it pays every investment that no run covers. */
export async function askForCommissions(tx: Tx): Promise<void> {
  await enqueue(tx, 'payout_runs.direct', {}, 'payout_runs.direct')
}
