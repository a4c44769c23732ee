import { atLeastZero, isWeekend, millionths, smallest, sum, timesOf } from './exact.ts'
import type { Item, Missed, PlanRules } from './history.ts'
import { bookOf, openInvestments, type PassiveDay, payRun, type World } from './world.ts'

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
