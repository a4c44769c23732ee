/**
 * The compensation plan in its slowest and plainest form. It shares no code with the engine that pays,
 * so where the two agree to the last micro-USDT, the same mistake would have to have been made twice.
 */
import { dayAfter } from './exact.ts'
import type { Account, History, MemberTotals, Step } from './history.ts'
import { reverse } from './reversal.ts'
import { runBinary, runDirect, runPassive } from './runs.ts'
import { type Book, bookOf, memberOf, payAllDebts, principalOf, type World } from './world.ts'

export function runModel(history: History): Account {
  const world = begin(history)
  for (const step of history.steps) take(world, step)
  const totals = world.members.map(({ id }) => totalsOf(world, id))
  return { runs: world.runs, reversals: world.reversals, totals }
}

/** `begin` and `take` serve callers that need the state between two steps; `runModel` is the model. */
export function begin({ firstDay, rules, members }: History): World {
  const plan = { version: 0, rules }
  return {
    members,
    books: new Map(members.map(({ id }) => [id, emptyBook()])),
    investments: [],
    passiveDays: [],
    masters: new Set(),
    extraPercents: new Map(),
    runs: [],
    reversals: [],
    today: firstDay,
    plan,
    planOfTomorrow: plan,
    declaredForTomorrow: null,
  }
}

function emptyBook(): Book {
  return {
    balance: 0n,
    owedProfit: 0n,
    owedCommission: 0n,
    profit: 0n,
    commission: 0n,
    carryLeft: 0n,
    carryRight: 0n,
  }
}

export function take(world: World, step: Step) {
  switch (step.kind) {
    case 'invest':
      return invest(world, step.memberId, step.amount)
    case 'reinvest':
      return reinvest(world, step.memberId, step.amount)
    case 'complete':
      bookOf(world, step.memberId).balance -= addedByBalance(step.amount, step.received)
      return invest(world, step.memberId, step.amount)
    case 'cancel':
      bookOf(world, step.memberId).balance += step.received
      break
    case 'reverse':
      return reverse(world, step.investment)
    case 'master':
      return makeMaster(world, step.memberId)
    case 'extra':
      world.extraPercents.set(memberOf(world, step.memberId).id, step.percent)
      break
    case 'plan':
      world.planOfTomorrow = { version: world.planOfTomorrow.version + 1, rules: step.rules }
      break
    case 'declare':
      world.declaredForTomorrow = step.percent
      break
    case 'commissions':
      runDirect(world)
      // also where there was nothing to compute: a reversal may have left a member a debt and a balance
      payAllDebts(world)
      break
    case 'day':
      return passMidnight(world)
  }
}

function invest(world: World, memberId: number, amount: bigint): void {
  world.investments.push({
    index: world.investments.length,
    memberId: memberOf(world, memberId).id,
    amount,
    madeOn: world.today,
    plan: world.plan,
    covered: false,
    reversedOn: null,
    paid: [],
  })
}

function reinvest(world: World, memberId: number, amount: bigint): void {
  const book = bookOf(world, memberId)
  if (amount > book.balance) throw new Error(`member ${memberId} has no ${amount} to reinvest`)
  book.balance -= amount
  invest(world, memberId, amount)
}

/**
 * The fee is 0.5 % on top, and what makes the sum whole cents. What came pays its share of it, and the balance adds what is missing of the
 * amount.
 */
export function addedByBalance(amount: bigint, received: bigint): bigint {
  const exact = amount + (amount * 5n) / 1_000n
  const overCent = exact % 10_000n
  const fee = exact - amount + (overCent === 0n ? 0n : 10_000n - overCent)
  return amount - received + (received * fee) / (amount + fee)
}

function makeMaster(world: World, memberId: number): void {
  if (memberOf(world, memberId).sponsorId === null || world.masters.has(memberId)) {
    throw new Error(`the link above member ${memberId} cannot become a master link`)
  }
  world.masters.add(memberId)
}

/** The new day's profit comes first, under the new day's plan; then the match of the day that ended, under its own. */
function passMidnight(world: World): void {
  const ended = world.today
  const planOfEnded = world.plan
  const declared = world.declaredForTomorrow
  world.today = dayAfter(ended)
  world.plan = world.planOfTomorrow
  world.declaredForTomorrow = null
  runPassive(world, world.plan.rules, world.today, declared)
  runBinary(world, planOfEnded.rules, ended)
}

function totalsOf(world: World, memberId: number): MemberTotals {
  const { profit, commission, ...book } = bookOf(world, memberId)
  const principal = principalOf(world, memberId)
  return { memberId, principal, ...book, earned: profit + commission, earnedProfit: profit }
}
