/**
 * A history played through the engine's own functions, in memory. They are put together as the commands of the payouts
 * do it; what the ledger does, adding up balances and what is owed, is done here by hand.
 */
import { type Micro, micro } from '@aval/money'
import {
  addDays,
  completeFromBalance,
  type Day,
  type DayTerms,
  feeOn,
  isDay,
  type Plan,
  parsePlan,
  passiveShare,
  termsOfDay,
  type Upline,
} from '@aval/plan'
import {
  climber,
  commissions,
  matchDay,
  passiveBlock,
} from '../../apps/server/src/features/payout-runs/calculate/engine.rules.ts'
import {
  BLOCK,
  type Missed,
  type PassiveBlock,
} from '../../apps/server/src/features/payout-runs/runs/runs.rules.ts'
import { Books } from './books.ts'
import { differences } from './compare.ts'
import type { Account, History, Item, PlanRules, Reversal, RunResult, Step, Taken } from './history.ts'
import { runModel } from './model.ts'
import { documentOf } from './plan-document.ts'
import { idOf, type Seats, seatOf, seatsOf, walkerOf } from './seats.ts'

/** Where the model and the engine part, whichever way the engine reads the chains above investors. */
export function playInMemory(history: History): string[] {
  const expected = runModel(history)
  return WAYS.flatMap((way) =>
    differences(expected, playOnEngine(history, way)).map((difference) => `chains ${way}: ${difference}`),
  )
}

/** How the chain above an investor is found: by arrays with jumps over the network, or one sponsor after the other. */
const WAYS = ['climbed', 'walked'] as const
type Way = (typeof WAYS)[number]

function playOnEngine(history: History, way: Way): Account {
  const engine = new Engine(history, way)
  for (const step of history.steps) engine.take(step)
  return engine.account()
}

function planOf(rules: PlanRules): Plan {
  return parsePlan(documentOf(rules))
}

function dayOf(text: string): Day {
  if (!isDay(text)) throw new Error(`${text} is no day`)
  return text
}

/** An item as the engine computes it: passive ones out of their columns, the others as they are. */
interface Computed extends Common<Item['kind']> {
  readonly basis: bigint
}

/** What items and what was missed have in common, with the numbers of the history. */
const lineOf = <Kind>({ memberId, kind, amount, level, investmentId }: Common<Kind>) => ({
  memberId: idOf(Number(memberId)),
  kind,
  amount,
  level,
  investment: investmentId === null ? null : Number(investmentId),
})
interface Common<Kind> {
  readonly memberId: bigint
  readonly kind: Kind
  readonly amount: bigint
  readonly level: number | null
  readonly investmentId: bigint | null
}

interface Investment extends Made {
  readonly index: number
  readonly planVersion: number
  reversedOn: Day | null
}

class Engine {
  readonly #way: Way
  readonly #seats: Seats
  readonly #books: Books
  readonly #plans: Plan[]
  readonly #investments: Investment[] = []
  readonly #paidDays: PaidDay[] = []
  readonly #runs: RunResult[] = []
  readonly #reversals: Reversal[] = []
  readonly #left: BigInt64Array
  readonly #right: BigInt64Array
  #covered = 0
  #today: Day
  #planOfToday = 0
  #declared: string | null = null

  constructor({ firstDay, rules, members }: History, way: Way) {
    this.#way = way
    this.#seats = seatsOf(members)
    this.#books = new Books(members)
    this.#left = new BigInt64Array(this.#seats.size)
    this.#right = new BigInt64Array(this.#seats.size)
    this.#plans = [planOf(rules)]
    this.#today = dayOf(firstDay)
  }

  take(step: Step) {
    switch (step.kind) {
      case 'complete':
        this.#books.spend(step.memberId, this.#addedByBalance(step))
        return this.#invest(step.memberId, step.amount)
      case 'cancel':
        return this.#books.giveBack(step.memberId, step.received)
      case 'reinvest':
        this.#books.spend(step.memberId, step.amount)
        this.#invest(step.memberId, step.amount)
        break
      case 'invest':
        return this.#invest(step.memberId, step.amount)
      case 'reverse':
        return this.#reverse(step.investment)
      case 'master':
        this.#seats.network.master[seatOf(step.memberId)] = 1
        break
      case 'extra':
        this.#seats.extraPercents.set(seatOf(step.memberId), step.percent)
        break
      case 'plan':
        this.#plans.push(planOf(step.rules))
        break
      case 'declare':
        this.#declared = step.percent
        break
      case 'commissions':
        return this.#payCommissions()
      case 'day':
        return this.#passMidnight()
    }
  }

  account(): Account {
    const totals = this.#books.totals((memberId) => {
      const seat = seatOf(memberId)
      return {
        principal: this.#principals()[seat] ?? 0n,
        carryLeft: this.#left[seat] ?? 0n,
        carryRight: this.#right[seat] ?? 0n,
      }
    })
    return { runs: this.#runs, reversals: this.#reversals, totals }
  }

  #addedByBalance({ amount: asked, received }: Extract<Step, { kind: 'complete' }>): bigint {
    const amount = micro(asked)
    const fee = feeOn(this.#plan(this.#planOfToday), amount)
    return completeFromBalance({ amount, fee, received: micro(received) }).fromBalance
  }

  #invest(memberId: number, amount: bigint): void {
    this.#investments.push({
      index: this.#investments.length,
      seat: seatOf(memberId),
      amount: micro(amount),
      madeOn: this.#today,
      planVersion: this.#planOfToday,
      reversedOn: null,
    })
  }

  #principals(): BigInt64Array {
    const principals = new BigInt64Array(this.#seats.size)
    for (const { seat, amount, reversedOn } of this.#investments)
      if (reversedOn === null) principals[seat] = (principals[seat] ?? 0n) + amount
    return principals
  }

  #payCommissions(): void {
    while (this.#covered < this.#investments.length) {
      const waiting = this.#investments.slice(this.#covered)
      const version = waiting[0]?.planVersion ?? 0
      const change = waiting.findIndex((one) => one.planVersion !== version)
      const batch = change === -1 ? waiting : waiting.slice(0, change)
      const plan = this.#plan(version)
      const made = batch.map(({ index, seat, amount }) => ({
        id: BigInt(index),
        memberId: BigInt(seat),
        amount,
      }))
      const { items, missed } = commissions(plan, made, this.#uplines(plan))
      this.#covered += batch.length
      this.#record('direct', `${batch.at(0)?.index}-${batch.at(-1)?.index}`, items, missed)
    }
    this.#books.recover()
  }

  #uplines(plan: Plan): (memberId: bigint) => readonly Upline[] {
    const principals = this.#principals()
    const active = (seat: number) => (principals[seat] ?? 0n) > 0n
    const { network, extraPercents } = this.#seats
    return this.#way === 'climbed'
      ? climber(plan, network, active, extraPercents)
      : walkerOf(this.#seats, plan, active)
  }

  #passMidnight(): void {
    const ended = this.#today
    const planOfEnded = this.#plan(this.#planOfToday)
    this.#today = addDays(ended, 1)
    this.#planOfToday = this.#plans.length - 1
    const principals = this.#principals()
    this.#payProfit(principals)
    this.#match(planOfEnded, ended, principals)
    this.#books.recover()
    this.#declared = null
  }

  #payProfit(principals: BigInt64Array): void {
    const terms = termsOfDay(this.#plan(this.#planOfToday), this.#today, this.#declared)
    const paid = payDay(this.#today, terms, principals, (seat) => this.#books.profitOf(idOf(seat)))
    this.#paidDays.push(paid)
    const missed = paid.blocks.flatMap((block) => block.missed)
    this.#record('passive', this.#today, itemsOf(paid), missed)
  }

  #match(plan: Plan, day: Day, principals: BigInt64Array): void {
    const movements = this.#investments.flatMap(({ seat, amount, madeOn, reversedOn }) => [
      ...(madeOn === day ? [{ memberId: BigInt(seat), amount: amount as bigint }] : []),
      ...(reversedOn === day ? [{ memberId: BigInt(seat), amount: -amount }] : []),
    ])
    const { network } = this.#seats
    const { items, missed } = matchDay({
      plan,
      network,
      principals,
      movements,
      left: this.#left,
      right: this.#right,
    })
    this.#record('binary', day, items, missed)
  }

  #record(
    kind: RunResult['kind'],
    period: string,
    computed: readonly Computed[],
    notPaid: readonly Missed[],
  ): void {
    const items = computed.map((item) => ({ ...lineOf(item), basis: item.basis }))
    const missed = notPaid.map((one) => ({ ...lineOf(one), reason: one.reason }))
    this.#runs.push({ kind, period, items, missed })
    for (const item of items)
      this.#books.pay(item.memberId, item.kind === 'passive' ? 'profit' : 'commission', item.amount)
  }

  #reverse(index: number): void {
    const investment = this.#investments[index]
    if (investment === undefined || investment.reversedOn !== null || index >= this.#covered)
      throw new Error(`investment ${index} cannot be reversed`)
    const memberId = idOf(investment.seat)
    const due: Omit<Taken, 'owed'>[] = this.#runs
      .flatMap(({ items }) => items.filter((item) => item.investment === index))
      .toSorted((left, right) => (left.level ?? 0) - (right.level ?? 0))
      .map((item) => ({ memberId: item.memberId, pool: 'commission', amount: item.amount }))
    const own = this.#investments.filter(({ seat }) => seat === investment.seat)
    const profit = profitOf(investment, own, this.#paidDays)
    if (profit > 0n) due.push({ memberId, pool: 'profit', amount: profit })
    investment.reversedOn = this.#today
    this.#books.giveBack(memberId, investment.amount)
    const taken = due.map((one) => this.#books.takeBack(one.memberId, one.pool, one.amount))
    this.#reversals.push({ investment: index, taken })
  }

  #plan(version: number): Plan {
    const plan = this.#plans[version]
    if (plan === undefined) throw new Error(`there is no plan ${version}`)
    return plan
  }
}

interface Made {
  readonly seat: number
  readonly amount: Micro
  readonly madeOn: Day
  readonly reversedOn: Day | null
}

/** What a run keeps for a reversal to work it out again. */
interface PaidDay {
  readonly day: Day
  readonly terms: DayTerms
  readonly blocks: readonly PassiveBlock[]
}

function payDay(
  day: Day,
  terms: DayTerms,
  principals: BigInt64Array,
  earnedBy: (seat: number) => bigint,
): PaidDay {
  const blocks: PassiveBlock[] = []
  // a day that pays nothing computes nothing
  for (let start = 0; terms.rate.numerator > 0n && start < principals.length; start += BLOCK) {
    const ids = [...principals.subarray(start, start + BLOCK).keys()].map((at) => start + at)
    const seats = ids.filter((seat) => principals[seat] !== 0n)
    const block = passiveBlock(
      terms,
      seats.map(BigInt),
      seats.map((seat) => principals[seat] ?? 0n),
      terms.capMultiple === null ? null : seats.map(earnedBy),
    )
    if (block.members.length > 0) blocks.push(block)
  }
  return { day, terms, blocks }
}

function itemsOf({ blocks }: PaidDay) {
  return blocks.flatMap(({ members, bases, amounts }) =>
    members.map((memberId, at) => ({
      memberId,
      kind: 'passive' as const,
      amount: amounts[at] ?? 0n,
      basis: bases[at] ?? 0n,
      level: null,
      investmentId: null,
    })),
  )
}

/** The passive profit that an investment was the reason for. `own` are all investments of its member. */
function profitOf(investment: Made, own: readonly Made[], paidDays: readonly PaidDay[]): bigint {
  let profit = 0n
  for (const { day, terms, blocks } of paidDays.filter((one) => one.day > investment.madeOn)) {
    const reversed = own.filter(
      ({ madeOn, reversedOn }) => madeOn < day && reversedOn !== null && reversedOn >= day,
    )
    const reversedBefore = micro(reversed.reduce((sum, { amount }) => sum + amount, 0n))
    for (const { members, bases, amounts, earned } of blocks) {
      const at = members.indexOf(BigInt(investment.seat))
      if (at === -1) continue
      const [basis, paid] = [micro(bases[at] ?? 0n), micro(amounts[at] ?? 0n)]
      const earnedBefore = micro(earned?.[at] ?? 0n)
      profit += passiveShare({ terms, basis, earnedBefore, paid, reversedBefore }, investment.amount)
    }
  }
  return profit
}
