import { atLeastZero, percentOf, smallest, sum } from './exact.ts'
import type { Item, Missed, PlanRules, Side } from './history.ts'
import { bookOf, isActive, memberOf, payRun, principalOf, type World } from './world.ts'

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
