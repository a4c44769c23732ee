/** The three runs of the plan: direct commissions of investments, the profit of a day, and its binary match. */
import { atLeastZero, isWeekend, millionths, percentOf, smallest, sum, timesOf } from './exact.ts'
import type { Item, Missed, PlanRules, Side } from './history.ts'
import {
  bookOf,
  type Investment,
  isActive,
  memberOf,
  openInvestments,
  type PassiveDay,
  payRun,
  principalOf,
  type World,
} from './world.ts'

/** The direct commissions of every investment not covered yet: one run for each plan version among them. */
export function runDirect(world: World): void {
  const uncovered = world.investments.filter((one) => !one.covered)
  const versions = new Set(uncovered.map((one) => one.plan.version))
  for (const version of versions) {
    runDirectOfVersion(
      world,
      uncovered.filter((one) => one.plan.version === version),
    )
  }
}

function runDirectOfVersion(world: World, batch: readonly Investment[]): void {
  const items: Item[] = []
  const missed: Missed[] = []
  for (const investment of batch) {
    walkUp(world, investment, items, missed)
    investment.paid.push(...items.filter((item) => item.investment === investment.index))
    investment.covered = true
  }
  const indexes = batch.map((one) => one.index)
  payRun(world, 'direct', `${indexes.at(0)}-${indexes.at(-1)}`, items, missed)
}

/** From the investor up the sponsor chain to the root. */
function walkUp(world: World, investment: Investment, items: Item[], missed: Missed[]): void {
  const { rules } = investment.plan
  let below = memberOf(world, investment.memberId)
  let level = 1
  while (below.sponsorId !== null) {
    const sponsor = memberOf(world, below.sponsorId)
    const active = isActive(world, sponsor.id)
    const share = shareAt(
      level,
      world.extraPercents.get(sponsor.id) ?? '0',
      rules,
      world.masters.has(below.id),
    )
    const amount = share ? percentOf(investment.amount, ...share.percents) : 0n
    if (share && amount > 0n) {
      const about = { memberId: sponsor.id, kind: share.kind, amount, level, investment: investment.index }
      if (active) items.push({ ...about, basis: investment.amount })
      else missed.push({ ...about, reason: rules.direct.compression ? 'skipped' : 'inactive' })
    }
    // under compression an inactive sponsor leaves its level to the next one up
    if (active || !rules.direct.compression) level += 1
    below = sponsor
  }
}

/** What the plan gives a sponsor at this level, or null where it gives nothing. */
function shareAt(
  level: number,
  extraPercent: string,
  rules: PlanRules,
  masterLink: boolean,
): { readonly kind: 'direct' | 'master'; readonly percents: readonly string[] } | null {
  const flat = rules.direct.levels[level - 1]
  if (flat !== undefined) {
    return { kind: 'direct', percents: level === 1 ? [flat, extraPercent] : [flat] }
  }
  return masterLink ? { kind: 'master', percents: [rules.direct.masterPercent] } : null
}

/** The passive profit of the day that begins now, on the principal that stands now. */
export function runPassive(world: World, rules: PlanRules, day: string, declared: string | null): void {
  const items: Item[] = []
  const missed: Missed[] = []
  for (const { id } of world.members) {
    const passiveDay: PassiveDay = {
      memberId: id,
      investments: openInvestments(world, id),
      ...rateOf(rules, day, declared),
      capMultiple: rules.passive.capMultiple,
      earnedBefore: bookOf(world, id).profit,
    }
    world.passiveDays.push(passiveDay)

    const basis = sum(passiveDay.investments.map((one) => one.amount))
    const amount = profitOn(basis, passiveDay)
    const cut = uncappedProfitOn(basis, passiveDay) - amount
    const about = { memberId: id, kind: 'passive', level: null, investment: null } as const
    if (amount > 0n) items.push({ ...about, amount, basis })
    // only the day that reaches the cap records it; later days would repeat it
    if (cut > 0n && roomUnderCap(basis, passiveDay) > 0n)
      missed.push({ ...about, reason: 'capped', amount: cut })
  }
  payRun(world, 'passive', day, items, missed)
}

/** Kept as percentage and divisor, because 10 % / 30 days has no exact decimal. */
function rateOf(
  rules: PlanRules,
  day: string,
  declared: string | null,
): { readonly percent: string; readonly dividedBy: bigint } {
  if (rules.passive.weekdaysOnly && isWeekend(day)) return { percent: '0', dividedBy: 1n }
  if (declared !== null) return { percent: declared, dividedBy: 1n }
  return { percent: rules.passive.percentPerPeriod, dividedBy: BigInt(rules.passive.periodDays) }
}

/** What that day's rule pays a member on this principal. */
export function profitOn(principal: bigint, day: PassiveDay): bigint {
  const uncapped = uncappedProfitOn(principal, day)
  return day.capMultiple === null ? uncapped : smallest(uncapped, roomUnderCap(principal, day))
}

function uncappedProfitOn(principal: bigint, day: PassiveDay): bigint {
  // one division, so that only one truncation happens
  return (principal * millionths(day.percent)) / (100n * 1_000_000n * day.dividedBy)
}

function roomUnderCap(principal: bigint, day: PassiveDay): bigint {
  if (day.capMultiple === null) return 0n
  return atLeastZero(timesOf(principal, day.capMultiple) - day.earnedBefore)
}

/** The binary match of the day that ends now. */
export function runBinary(world: World, rules: PlanRules, day: string): void {
  const items: Item[] = []
  const missed: Missed[] = []
  for (const { id } of world.members) match(world, rules, day, id, items, missed)
  payRun(world, 'binary', day, items, missed)
}

function match(
  world: World,
  rules: PlanRules,
  day: string,
  memberId: number,
  items: Item[],
  missed: Missed[],
): void {
  const book = bookOf(world, memberId)
  const newLeft = newPoints(world, memberId, 'L', day)
  const newRight = newPoints(world, memberId, 'R', day)
  book.carryLeft += newLeft
  book.carryRight += newRight

  const matchable = atLeastZero(smallest(book.carryLeft, book.carryRight))
  const earned = percentOf(matchable, rules.binary.percent)
  const about = { memberId, kind: 'binary', level: null, investment: null } as const
  const unqualified = whyUnqualified(world, memberId)

  if (unqualified) {
    const amount = smallest(earned, rules.binary.dailyCap)
    // points that merely wait are no news: it is recorded only on a day that moved them
    const moved = newLeft !== 0n || newRight !== 0n
    if (moved && amount > 0n) missed.push({ ...about, reason: unqualified, amount })
    return
  }

  book.carryLeft -= matchable
  book.carryRight -= matchable
  const amount = smallest(earned, rules.binary.dailyCap, principalOf(world, memberId))
  if (amount > 0n) items.push({ ...about, amount, basis: matchable })
  if (earned > amount) missed.push({ ...about, reason: 'flushed', amount: earned - amount })
}

/** What was invested below that side on the day, less what was reversed there on it, whenever it was made. */
function newPoints(world: World, memberId: number, side: Side, day: string): bigint {
  const below = world.investments.filter((one) => isBelow(world, one.memberId, memberId, side))
  const invested = below.filter((one) => one.madeOn === day)
  const reversed = below.filter((one) => one.reversedOn === day)
  return sum(invested.map((one) => one.amount)) - sum(reversed.map((one) => one.amount))
}

/** Whether a member is placed somewhere below that side of another. */
function isBelow(world: World, memberId: number, ancestorId: number, side: Side): boolean {
  const { parentId, side: ownSide } = memberOf(world, memberId)
  if (parentId === null) return false
  if (parentId === ancestorId) return ownSide === side
  return isBelow(world, parentId, ancestorId, side)
}

/** Null when the member may earn: active, with an active direct referral on each side. */
function whyUnqualified(world: World, memberId: number): Missed['reason'] | null {
  const hasActiveReferral = (side: Side) =>
    world.members.some((one) => one.sponsorId === memberId && one.side === side && isActive(world, one.id))
  if (!isActive(world, memberId)) return 'inactive'
  const left = hasActiveReferral('L')
  const right = hasActiveReferral('R')
  if (left && right) return null
  if (left) return 'no_active_right'
  return right ? 'no_active_left' : 'no_active_referrals'
}
