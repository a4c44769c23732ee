import { percentOf } from './exact.ts'
import type { Item, Member, Missed, PlanRules } from './history.ts'
import { type Investment, isActive, memberOf, payRun, type World } from './world.ts'

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
    const share = shareAt(level, sponsor, rules, world.masters.has(below.id))
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
  sponsor: Member,
  rules: PlanRules,
  masterLink: boolean,
): { readonly kind: 'direct' | 'master'; readonly percents: readonly string[] } | null {
  const flat = rules.direct.levels[level - 1]
  if (flat !== undefined) {
    return { kind: 'direct', percents: level === 1 ? [flat, sponsor.extraPercent] : [flat] }
  }
  return masterLink ? { kind: 'master', percents: [rules.direct.masterPercent] } : null
}
