/** What reversing an investment would take back, and from whom. */
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { passiveShare } from '@aval/plan'
import { Refusal } from '../../../core/refusal.ts'
import { balancesOf } from '../../../ledger/ledger.queries.ts'
import { termsOf } from '../calculate/calculate.queries.ts'
import { selectRun } from '../runs/runs.sql.ts'
import {
  type Reversible,
  selectInvestmentsOf,
  selectPaidCommissions,
  selectPassiveDays,
  selectReversible,
  selectUsernames,
  someUnpaidDay,
} from './reversals.sql.ts'

/** Investments of members whose username or e-mail begins with what was typed, newest first; all when it is empty. */
export function listInvestments(
  db: Db,
  typed: string,
  limit: number,
  offset: number,
): Promise<{ rows: Reversible[]; count: number }> {
  return selectInvestmentsOf(db, typed.normalize('NFKC').trim(), limit, offset)
}

/** The usernames of the members that a reversal takes from. */
export function usernamesOf(db: Db, { parts }: ReversalParts): Promise<ReadonlyMap<bigint, string>> {
  return selectUsernames(db, [...new Set(parts.map(({ memberId }) => memberId))])
}

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

/** `settled` on the wire: its commissions are posted, so it can be reversed. */
export function stateOf(investment: Reversible): 'open' | 'settled' | 'reversed' {
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
export async function takenBack(db: Db, investment: Reversible): Promise<Taken[]> {
  const state = stateOf(investment)
  if (state === 'reversed') throw new Refusal('investment_reversed')
  if (investment.withdrawn) throw new Refusal('investment_withdrawn')
  if (state === 'open' || investment.run_id === null) throw new Refusal('investment_unsettled')
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

async function balancesWithPrincipal(
  db: Db,
  investment: Reversible,
  taken: readonly Taken[],
): Promise<Map<bigint, bigint>> {
  const balances = new Map<bigint, bigint>()
  for (const memberId of new Set([investment.member_id, ...taken.map((part) => part.memberId)]))
    balances.set(memberId, (await balancesOf(db, memberId)).balance)
  balances.set(investment.member_id, (balances.get(investment.member_id) ?? 0n) + investment.amount)
  return balances
}

export interface ReversalParts {
  readonly investment: Reversible
  readonly parts: readonly Part[]
}

/** What reversing would take from whom, now. @throws Refusal when it cannot be reversed. */
export async function previewReversal(db: Db, investmentId: bigint | null): Promise<ReversalParts> {
  const investment = investmentId === null ? undefined : await selectReversible(db, investmentId)
  if (investment === undefined) throw new Refusal('investment_not_found')
  const taken = await takenBack(db, investment)
  return { investment, parts: split(taken, await balancesWithPrincipal(db, investment, taken)) }
}
