import { asDecimal, dayAfter, isWeekend, millionths, smallest } from './exact.ts'
import type { Member, PlanRules, Side, Step } from './history.ts'

export const MOST_STEPS = 60
const LARGEST_INVESTMENT = 1_000_000_000_000n

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
  | { readonly want: 'reverse'; readonly pick: number }
  /** So many links in a row, upwards. */
  | { readonly want: 'masters'; readonly pick: number; readonly links: number }
  | { readonly want: 'plan'; readonly rules: PlanRules }
  | { readonly want: 'declare'; readonly thousandthsOfTarget: bigint }
  | { readonly want: 'commissions' }
  | { readonly want: 'days'; readonly count: number }

type BothLegs = Extract<Wish, { want: 'bothLegs' }>

/** A history in the making: it knows what is possible next. Every wish becomes a step or more. */
export class Draft {
  readonly steps: Step[] = []
  readonly #members: readonly Member[]
  #invested = 0
  #covered = 0
  readonly #reversed = new Set<number>()
  readonly #masters = new Set<number>()
  #today: string
  #rules: PlanRules
  #rulesOfTomorrow: PlanRules
  #declared = 0n

  constructor(firstDay: string, rules: PlanRules, members: readonly Member[]) {
    this.#today = firstDay
    this.#rules = rules
    this.#rulesOfTomorrow = rules
    this.#members = members
  }

  grant(wish: Wish): void {
    switch (wish.want) {
      case 'invest':
        this.#invest(this.#anyone(wish.pick), wish.amount)
        break
      case 'bothLegs':
        this.#investOnBothLegs(wish)
        break
      case 'investAtCap':
        this.#invest(this.#anyone(wish.pick), this.#amountAtCap(wish.off))
        break
      case 'reverse':
        this.#reverse(wish.pick)
        break
      case 'masters':
        this.#makeMasters(wish.pick, wish.links)
        break
      case 'plan':
        this.#replacePlan(wish.rules)
        break
      case 'declare':
        this.#declare(wish.thousandthsOfTarget)
        break
      case 'commissions':
        this.#computeCommissions()
        break
      case 'days':
        for (let passed = 0; passed < wish.count; passed++) this.#passDay()
    }
  }

  #anyone(pick: number): number {
    return 1 + (pick % this.#members.length)
  }

  #invest(memberId: number, amount: bigint): void {
    this.steps.push({ kind: 'invest', memberId, amount })
    this.#invested++
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
    const percent = millionths(this.#rules.binary.percent)
    if (percent === 0n) return 1n
    const amount = (this.#rules.binary.dailyCap * 100_000_000n) / percent + off
    // a tiny percentage would need more money than there is
    return smallest(amount > 0n ? amount : 1n, LARGEST_INVESTMENT)
  }

  #reverse(pick: number): void {
    const reversible = Array.from({ length: this.#covered }, (_, index) => index).filter(
      (index) => !this.#reversed.has(index),
    )
    const investment = chosen(reversible, pick)
    if (investment === undefined) {
      this.#computeCommissions()
    } else {
      this.steps.push({ kind: 'reverse', investment })
      this.#reversed.add(investment)
    }
  }

  #makeMasters(pick: number, links: number): void {
    const candidates = this.#members.filter(
      ({ id, sponsorId }) => sponsorId !== null && !this.#masters.has(id),
    )
    let next = chosen(candidates, pick)
    if (!next) this.#computeCommissions()
    for (let made = 0; next && made < links; made++) {
      this.steps.push({ kind: 'master', memberId: next.id })
      this.#masters.add(next.id)
      const { sponsorId } = next
      next = candidates.find(({ id }) => id === sponsorId)
    }
  }

  /** A rate declared for tomorrow must stay within tomorrow's target, so a plan that lowers it below waits a day. */
  #replacePlan(rules: PlanRules): void {
    if (this.#declared > targetInMillionths(rules, dayAfter(this.#today))) this.#passDay()
    this.steps.push({ kind: 'plan', rules })
    this.#rulesOfTomorrow = rules
  }

  #declare(thousandthsOfTarget: bigint): void {
    const target = targetInMillionths(this.#rulesOfTomorrow, dayAfter(this.#today))
    this.#declared = (target * thousandthsOfTarget) / 1_000n
    this.steps.push({ kind: 'declare', percent: asDecimal(this.#declared) })
  }

  #computeCommissions(): void {
    this.steps.push({ kind: 'commissions' })
    this.#covered = this.#invested
  }

  #passDay(): void {
    this.steps.push({ kind: 'day' })
    this.#today = dayAfter(this.#today)
    this.#rules = this.#rulesOfTomorrow
    this.#declared = 0n
  }
}

function chosen<T>(choices: readonly T[], pick: number): T | undefined {
  return choices[pick % Math.max(1, choices.length)]
}

/** The most that may be declared for a day: the daily target, rounded down to what text can say. */
function targetInMillionths({ passive }: PlanRules, day: string): bigint {
  if (passive.weekdaysOnly && isWeekend(day)) return 0n
  return millionths(passive.percentPerPeriod) / BigInt(passive.periodDays)
}
