import { smallest, sum } from './exact.ts'
import type { Item, Member, Missed, PlanRules, Reversal, RunResult } from './history.ts'

/** An investment and all that later became of it. */
export interface Investment {
  readonly index: number
  readonly memberId: number
  readonly amount: bigint
  readonly madeOn: string
  /** The plan in force when it was made, which its commissions follow whenever they are computed. */
  readonly plan: Plan
  covered: boolean
  reversedOn: string | null
  /** The direct and master commissions paid for it: what a reversal takes back. */
  readonly paid: Item[]
}

export interface Plan {
  readonly version: number
  readonly rules: PlanRules
}

/** One member's part of one passive run, kept as it was then, so that a reversal can work it out again. */
export interface PassiveDay {
  readonly memberId: number
  readonly investments: readonly Investment[]
  readonly percent: string
  readonly dividedBy: bigint
  readonly capMultiple: string | null
  readonly earnedBefore: bigint
}

export interface Book {
  balance: bigint
  owedProfit: bigint
  owedCommission: bigint
  /** Paid by each pool so far, less what reversals took back. */
  profit: bigint
  commission: bigint
  carryLeft: bigint
  carryRight: bigint
}

export interface World {
  readonly members: readonly Member[]
  readonly books: ReadonlyMap<number, Book>
  readonly investments: Investment[]
  readonly passiveDays: PassiveDay[]
  /** The members whose link up to their sponsor is a master link. */
  readonly masters: Set<number>
  /** What sponsors get on top of the first level, by member; nothing where there is none. */
  readonly extraPercents: Map<number, string>
  readonly runs: RunResult[]
  readonly reversals: Reversal[]
  today: string
  plan: Plan
  planOfTomorrow: Plan
  declaredForTomorrow: string | null
}

export function memberOf(world: World, id: number): Member {
  const member = world.members.find((one) => one.id === id)
  if (!member) throw new Error(`there is no member ${id}`)
  return member
}

export function bookOf(world: World, memberId: number): Book {
  const book = world.books.get(memberId)
  if (!book) throw new Error(`member ${memberId} has no book`)
  return book
}

/** The investments that make up a member's principal at this moment. */
export function openInvestments(world: World, memberId: number): readonly Investment[] {
  return world.investments.filter((one) => one.memberId === memberId && one.reversedOn === null)
}

export function principalOf(world: World, memberId: number): bigint {
  return sum(openInvestments(world, memberId).map((one) => one.amount))
}

export function isActive(world: World, memberId: number): boolean {
  return principalOf(world, memberId) > 0n
}

/** Pays a run's items, then takes what members owe from their balances. */
export function payRun(
  world: World,
  kind: RunResult['kind'],
  period: string,
  items: readonly Item[],
  missed: readonly Missed[],
): void {
  for (const item of items) {
    const book = bookOf(world, item.memberId)
    book.balance += item.amount
    if (item.kind === 'passive') book.profit += item.amount
    else book.commission += item.amount
  }
  payAllDebts(world)
  // sort is stable: within a member the order of computation stays
  const byMember = (a: { memberId: number }, b: { memberId: number }) => a.memberId - b.memberId
  world.runs.push({ kind, period, items: items.toSorted(byMember), missed: missed.toSorted(byMember) })
}

/** What a balance allows of what is owed: commission first, then profit. */
export function payAllDebts(world: World): void {
  for (const book of world.books.values()) payDebts(book)
}

function payDebts(book: Book): void {
  const commission = smallest(book.owedCommission, book.balance)
  book.owedCommission -= commission
  book.balance -= commission
  const profit = smallest(book.owedProfit, book.balance)
  book.owedProfit -= profit
  book.balance -= profit
}
