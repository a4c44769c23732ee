import { asDecimal, atLeastZero, millionths, smallest } from './exact.ts'
import type { Member, PlanRules, Side, Step } from './history.ts'
import { addedByBalance, begin, take } from './model.ts'
import { bookOf, type Investment, principalOf, type World } from './world.ts'

const LARGEST_INVESTMENT = 1_000_000_000_000n
const WHOLE = 1_000n

/** What a random history would like to happen next; `pick` says which of those it is possible for. */
export type Wish =
  | { readonly want: 'invest'; readonly pick: number; readonly amount: bigint }
  /** A member invests, and someone on each of its sides: a referral, as the binary match needs, or a stranger. */
  | {
      readonly want: 'bothLegs'
      readonly pick: number
      readonly amounts: readonly [bigint, bigint, bigint]
      readonly referrals: readonly [boolean, boolean]
    }
  /** An amount that as a weaker leg earns the daily cap, give or take. */
  | { readonly want: 'investAtCap'; readonly pick: number; readonly off: bigint }
  /** So many thousandths of a balance, but at least a micro-USDT. */
  | { readonly want: 'reinvest'; readonly pick: number; readonly thousandths: bigint }
  /** So many thousandths of a balance complete an invoice of which so many thousandths of the balance came by chain. */
  | {
      readonly want: 'complete'
      readonly pick: number
      readonly thousandths: bigint
      readonly received: bigint
    }
  | { readonly want: 'cancel'; readonly pick: number; readonly amount: bigint }
  | { readonly want: 'reverse'; readonly pick: number }
  /** A member invests, tops up a day later, and takes both back, the latter first or the former. */
  | {
      readonly want: 'topUpAndUndo'
      readonly pick: number
      readonly amounts: readonly [bigint, bigint]
      readonly latterFirst: boolean
    }
  /** An investment is reversed whose commissions were spent. */
  | { readonly want: 'owedCommission'; readonly pick: number }
  /** An investment of a micro-USDT is reversed that earned several, which were spent. */
  | { readonly want: 'owedProfit'; readonly pick: number; readonly days: number }
  /** So many links in a row, upwards. */
  | { readonly want: 'masters'; readonly pick: number; readonly links: number }
  /** A sponsor's extra percentage changes before and after a commission on what a referral invests. */
  | {
      readonly want: 'extra'
      readonly pick: number
      readonly percents: readonly [string, string]
      readonly amount: bigint
    }
  | { readonly want: 'plan'; readonly rules: PlanRules }
  | { readonly want: 'declare'; readonly thousandthsOfTarget: bigint }
  | { readonly want: 'commissions' }
  | { readonly want: 'days'; readonly count: number }

type BothLegs = Extract<Wish, { want: 'bothLegs' }>
type Complete = Extract<Wish, { want: 'complete' }>
type ExtraChange = Extract<Wish, { want: 'extra' }>
type TopUpAndUndo = Extract<Wish, { want: 'topUpAndUndo' }>

/** A history in the making: the model knows what is possible next. Every wish becomes a step or more. */
export class Draft {
  readonly steps: Step[] = []
  readonly #members: readonly Member[]
  readonly #mostSteps: number
  readonly #world: World

  constructor(firstDay: string, rules: PlanRules, members: readonly Member[], mostSteps: number) {
    this.#members = members
    this.#mostSteps = mostSteps
    this.#world = begin({ firstDay, rules, members, steps: [] })
  }

  grant(wish: Wish) {
    switch (wish.want) {
      case 'invest':
        return this.#invest(this.#anyone(wish.pick), wish.amount)
      case 'bothLegs':
        return this.#investOnBothLegs(wish)
      case 'investAtCap':
        return this.#invest(this.#anyone(wish.pick), this.#amountAtCap(wish.off))
      case 'reinvest':
        return this.#reinvestFrom(wish.pick, wish.thousandths)
      case 'complete':
        return this.#complete(wish)
      case 'cancel':
        return this.#step({ kind: 'cancel', memberId: this.#anyone(wish.pick), received: wish.amount })
      case 'reverse':
        return this.#reverse(chosen(this.#reversible(), wish.pick))
      case 'topUpAndUndo':
        return this.#topUpAndUndo(wish)
      case 'owedCommission':
        return this.#leaveCommissionOwed(wish.pick)
      case 'owedProfit':
        return this.#leaveProfitOwed(this.#anyone(wish.pick), wish.days)
      case 'masters':
        return this.#makeMasters(wish.pick, wish.links)
      case 'extra':
        return this.#changeExtra(wish)
      case 'plan':
        return this.#replacePlan(wish.rules)
      case 'declare':
        return this.#declare(wish.thousandthsOfTarget)
      case 'commissions':
        return this.#step({ kind: 'commissions' })
      case 'days':
        return this.#passDays(wish.count)
    }
  }

  /** A full history stands still. */
  #step(step: Step): void {
    if (this.steps.length === this.#mostSteps) return
    this.steps.push(step)
    take(this.#world, step)
  }

  #anyone(pick: number): number {
    return 1 + (pick % this.#members.length)
  }

  #invest(memberId: number, amount: bigint): void {
    this.#step({ kind: 'invest', memberId, amount })
  }

  #investOnBothLegs({ pick, amounts: [own, left, right], referrals: [onLeft, onRight] }: BothLegs): void {
    const twoLegged = this.#members.filter(
      ({ id }) => this.#below(id, 'L', onLeft).length > 0 && this.#below(id, 'R', onRight).length > 0,
    )
    const member = chosen(twoLegged, pick)?.id ?? this.#anyone(pick)
    this.#invest(member, own)
    this.#invest(chosen(this.#below(member, 'L', onLeft), pick)?.id ?? member, left)
    this.#invest(chosen(this.#below(member, 'R', onRight), pick)?.id ?? member, right)
  }

  /** Who is placed below that side of a member: its own referrals, or all the others. */
  #below(memberId: number, side: Side, referrals: boolean): Member[] {
    const all = (top: Member): Member[] => [
      top,
      ...this.#members.filter((one) => one.parentId === top.id).flatMap(all),
    ]
    return this.#members
      .filter((one) => one.parentId === memberId && one.side === side)
      .flatMap(all)
      .filter((one) => (one.sponsorId === memberId) === referrals)
  }

  #amountAtCap(off: bigint): bigint {
    const { binary } = this.#world.plan.rules
    const percent = millionths(binary.percent)
    if (percent === 0n) return 1n
    const amount = (binary.dailyCap * 100_000_000n) / percent + off
    // a tiny percentage would need more money than there is
    return smallest(amount > 0n ? amount : 1n, LARGEST_INVESTMENT)
  }

  /** What of a balance can be invested: what is owed is paid first. */
  #balanceOf(memberId: number): bigint {
    const { balance, owedProfit, owedCommission } = bookOf(this.#world, memberId)
    return atLeastZero(balance - owedProfit - owedCommission)
  }

  #reinvestFrom(pick: number, thousandths: bigint): void {
    const member = chosen(
      this.#members.filter(({ id }) => this.#balanceOf(id) > 0n),
      pick,
    )
    if (member) this.#reinvest(member.id, thousandths)
    else this.#step({ kind: 'commissions' })
  }

  #reinvest(memberId: number, thousandths: bigint): void {
    const balance = this.#balanceOf(memberId)
    const part = (balance * thousandths) / WHOLE
    if (balance > 0n) this.#step({ kind: 'reinvest', memberId, amount: part > 0n ? part : 1n })
  }

  #complete({ pick, thousandths, received }: Complete): void {
    const able = this.#members.filter(({ id }) => this.#balanceOf(id) > 0n)
    const { id: memberId } = chosen(able, pick) ?? { id: 1 }
    const balance = this.#balanceOf(memberId)
    const came = (balance * received) / WHOLE + 1n
    const amount = came + (balance * thousandths) / WHOLE + 1n
    if (addedByBalance(amount, came) > balance) this.#step({ kind: 'commissions' })
    else this.#step({ kind: 'complete', memberId, amount, received: came })
  }

  #reversible(): Investment[] {
    return this.#world.investments.filter((one) => one.covered && one.reversedOn === null)
  }

  #reverse(investment: Investment | undefined): void {
    if (investment) this.#step({ kind: 'reverse', investment: investment.index })
    else this.#step({ kind: 'commissions' })
  }

  #topUpAndUndo({ pick, amounts: [own, more], latterFirst }: TopUpAndUndo): void {
    const invested = [own, more].map((amount) => {
      this.#invest(this.#anyone(pick), amount)
      const investment = this.#world.investments.at(-1)
      this.#passDays(1)
      return investment
    })
    this.#step({ kind: 'commissions' })
    for (const investment of latterFirst ? invested.toReversed() : invested) this.#reverse(investment)
  }

  /** Its payees spend what they have first; two of them, for a history to have room for more. */
  #leaveCommissionOwed(pick: number): void {
    const investment = chosen(
      this.#reversible().filter((one) => one.paid.length > 0),
      pick,
    )
    const payees = new Set(investment?.paid.map((item) => item.memberId))
    for (const memberId of [...payees].slice(0, 2)) this.#reinvest(memberId, WHOLE)
    this.#reverse(investment)
  }

  /**
   * Principal returns with a reversal, so profit stays owed only where an investment earned more than itself. A
   * micro-USDT does in two days, on top of a principal that earns one more with it than without.
   */
  #leaveProfitOwed(memberId: number, days: number): void {
    const { passive } = this.#world.planOfTomorrow.rules
    const percent = millionths(passive.percentPerPeriod)
    const whole = 100_000_000n * BigInt(passive.periodDays)
    const principal = principalOf(this.#world, memberId)
    const edge = percent > 0n ? ((((principal + 2n) * percent) / whole + 1n) * whole - 1n) / percent : 0n
    const below = edge - principal
    this.#invest(memberId, below > 0n ? smallest(below, LARGEST_INVESTMENT) : 1n)
    this.#invest(memberId, 1n)
    const crumb = this.#world.investments.at(-1)
    this.#step({ kind: 'commissions' })
    this.#passDays(days)
    this.#reinvest(memberId, WHOLE)
    this.#reverse(crumb)
    const paid = this.#reversible().find((one) => one.paid.some((item) => item.memberId === memberId))
    // commission as well, where that is possible
    if (paid) this.#reverse(paid)
  }

  #makeMasters(pick: number, links: number): void {
    const candidates = this.#members.filter(
      ({ id, sponsorId }) => sponsorId !== null && !this.#world.masters.has(id),
    )
    let next = chosen(candidates, pick)
    if (!next) this.#step({ kind: 'commissions' })
    for (let made = 0; next && made < links; made++) {
      this.#step({ kind: 'master', memberId: next.id })
      const { sponsorId } = next
      next = candidates.find(({ id }) => id === sponsorId)
    }
  }

  #changeExtra({ pick, percents: [first, then], amount }: ExtraChange): void {
    const referral = chosen(
      this.#members.filter(({ sponsorId }) => sponsorId !== null),
      pick,
    )
    const memberId = referral?.sponsorId ?? this.#anyone(pick)
    this.#step({ kind: 'extra', memberId, percent: first })
    this.#invest(referral?.id ?? memberId, amount)
    this.#step({ kind: 'commissions' })
    this.#step({ kind: 'extra', memberId, percent: then })
  }

  /** A rate declared for tomorrow must stay within tomorrow's target, so a plan that lowers it below waits a day. */
  #replacePlan(rules: PlanRules): void {
    const declared = this.#world.declaredForTomorrow
    if (declared !== null && millionths(declared) > targetOf(rules)) this.#passDays(1)
    this.#step({ kind: 'plan', rules })
  }

  #declare(thousandthsOfTarget: bigint): void {
    const target = targetOf(this.#world.planOfTomorrow.rules)
    this.#step({ kind: 'declare', percent: asDecimal((target * thousandthsOfTarget) / 1_000n) })
  }

  #passDays(count: number): void {
    for (let passed = 0; passed < count; passed++) this.#step({ kind: 'day' })
  }
}

function chosen<T>(choices: readonly T[], pick: number): T | undefined {
  return choices[pick % Math.max(1, choices.length)]
}

/** The most that may be declared, also for a day that rests: the daily target, rounded down to what text can say. */
function targetOf({ passive }: PlanRules): bigint {
  return millionths(passive.percentPerPeriod) / BigInt(passive.periodDays)
}
