/**
 * Reversing an investment (clawback).
 *
 * Principal goes back to its member's balance. What the investment had paid is taken back to the micro-USDT: each
 * commission from whom it was paid to, and the part of the member's passive profit that rested on it. It is taken from
 * balances first; what they do not cover is owed. The points it gave are taken off the legs by the next match. Nothing that
 * was written is changed.
 */
import type { Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { passiveShare } from '@aval/plan'
import { Refusal } from '../../../core/refusal.ts'
import { lockMember, openInstant, post, selectBalances } from '../../../ledger/ledger.commands.ts'
import { termsOf } from '../calculate/calculate.queries.ts'
import { midnightsDue } from '../runs/runs.commands.ts'
import { selectRun } from '../runs/runs.sql.ts'
import {
  insertPart,
  insertReversal,
  type Reversible,
  selectPaidCommissions,
  selectPassiveDays,
  selectReversible,
  someUnpaidDay,
} from './reversals.sql.ts'

export { type Reversible, selectInvestmentsOf, selectUsernames } from './reversals.sql.ts'

/** What a reversal takes back from one member. */
export interface Part {
  readonly memberId: bigint
  readonly pool: 'profit' | 'commission'
  readonly amount: Micro
  readonly fromBalance: Micro
  readonly runId: bigint | null
  readonly itemLeg: number | null
}

type Taken = Omit<Part, 'fromBalance'>

/** Where an investment stands: reversible once what it caused is settled. */
export function standingOf(investment: Reversible): 'open' | 'settled' | 'reversed' {
  if (investment.reversed) return 'reversed'
  return investment.run_state === 'done' ? 'settled' : 'open'
}

async function passivePart(db: Db, investment: Reversible): Promise<bigint> {
  let sum = 0n
  // A run that has not written its items yet may be about to pay on it as well.
  if (await someUnpaidDay(db, investment.credited_at)) throw new Refusal('investment_unsettled')
  for (const day of await selectPassiveDays(db, investment.member_id, investment.credited_at)) {
    const run = await selectRun(db, day.run_id)
    if (run === undefined) throw new Error(`run ${day.run_id} is gone`)
    sum += passiveShare(
      {
        terms: await termsOf(db, run, day.declared_id),
        basis: micro(day.basis),
        earnedBefore: micro(day.earned),
        paid: micro(day.paid),
        reversedBefore: micro(day.reversed),
      },
      micro(investment.amount),
    )
  }
  return sum
}

/** Everything that an investment was the reason for. @throws Refusal while part of it is not posted yet. */
async function takenBack(db: Db, investment: Reversible): Promise<Taken[]> {
  const standing = standingOf(investment)
  if (standing === 'reversed') throw new Refusal('investment_reversed')
  if (investment.withdrawn) throw new Refusal('investment_withdrawn')
  if (standing === 'open' || investment.run_id === null) throw new Refusal('investment_unsettled')
  const commissions = await selectPaidCommissions(db, investment.run_id, investment.id)
  const taken = commissions
    .filter(({ amount }) => amount > 0n)
    .map(
      ({ memberId, leg, amount }): Taken => ({
        memberId,
        pool: 'commission',
        amount: micro(amount),
        runId: investment.run_id,
        itemLeg: leg,
      }),
    )
  const passive = await passivePart(db, investment)
  if (passive > 0n)
    taken.push({
      memberId: investment.member_id,
      pool: 'profit',
      amount: micro(passive),
      runId: null,
      itemLeg: null,
    })
  return taken
}

/** Splits what is taken into what balances cover and what is owed; the investor's includes the principal that returns. */
function split(taken: readonly Taken[], balances: Map<bigint, bigint>): Part[] {
  return taken.map((part) => {
    const balance = balances.get(part.memberId) ?? 0n
    const fromBalance = micro(balance < part.amount ? balance : part.amount)
    balances.set(part.memberId, balance - fromBalance)
    return { ...part, fromBalance }
  })
}

async function balancesOf(
  db: Db,
  investment: Reversible,
  taken: readonly Taken[],
): Promise<Map<bigint, bigint>> {
  const balances = new Map<bigint, bigint>()
  for (const memberId of new Set([investment.member_id, ...taken.map((part) => part.memberId)]))
    balances.set(memberId, (await selectBalances(db, memberId)).balance)
  balances.set(investment.member_id, (balances.get(investment.member_id) ?? 0n) + investment.amount)
  return balances
}

export interface ReversalTold {
  readonly investment: Reversible
  readonly parts: readonly Part[]
}

/** What reversing would take from whom, now. @throws Refusal when it cannot be reversed. */
export async function previewReversal(db: Db, investmentId: bigint): Promise<ReversalTold> {
  const investment = await selectReversible(db, investmentId)
  if (investment === undefined) throw new Refusal('investment_not_found')
  const taken = await takenBack(db, investment)
  return { investment, parts: split(taken, await balancesOf(db, investment, taken)) }
}

function movementsOf({ pool, amount, fromBalance }: Part) {
  return [
    { kind: pool === 'profit' ? 'clawback_profit' : 'clawback_commission', amount: fromBalance },
    { kind: pool === 'profit' ? 'owed_profit' : 'owed_commission', amount: micro(amount - fromBalance) },
  ] as const
}

/** Reverses an investment, once. @throws Refusal when it cannot be reversed, or was. */
export async function reverseInvestment(
  tx: Tx,
  request: { investmentId: bigint; operatorId: bigint; reason: string; now: Date },
): Promise<ReversalTold> {
  const { investmentId, now } = request
  const first = await selectReversible(tx, investmentId)
  if (first === undefined) throw new Refusal('investment_not_found')
  // Who is touched is known before anybody is locked, and all are locked in order.
  const touched = new Set([first.member_id, ...(await takenBack(tx, first)).map(({ memberId }) => memberId)])
  for (const memberId of [...touched].sort((left, right) => (left < right ? -1 : 1)))
    await lockMember(tx, memberId)
  // Members before the period, as everybody else takes them.
  const at = await openInstant(tx, now)
  // A day that began before and has no run yet will pay on it; with the period held open, none is opened meanwhile.
  if ((await midnightsDue(tx, at)).midnights.length > 0) throw new Refusal('investment_unsettled')
  const told = await previewReversal(tx, investmentId)
  const { investment, parts } = told
  const journal = await post(tx, {
    key: `reverse:${investmentId}`,
    kind: 'reverse',
    memberId: investment.member_id,
    at,
    movements: [{ kind: 'reverse_investment', amount: micro(investment.amount) }],
  })
  const reversalId = await insertReversal(tx, {
    memberId: investment.member_id,
    investmentId,
    journalId: journal.id,
    amount: investment.amount,
    reason: request.reason,
    by: request.operatorId,
    at,
  })
  if (reversalId === null) throw new Refusal('investment_reversed')
  for (const [leg, part] of parts.entries()) {
    await post(tx, {
      key: `reverse:${investmentId}:${leg}`,
      kind: 'clawback',
      memberId: part.memberId,
      at,
      movements: movementsOf(part),
    })
    await insertPart(tx, { ...part, reversalId, leg, at })
  }
  return told
}
