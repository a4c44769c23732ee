import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histories } from './arbitraries.ts'
import { dayAfter, isWeekend, millionths, sum } from './exact.ts'
import { always } from './fixtures.ts'
import type { Account, History, Member, PlanRules } from './history.ts'
import { runModel } from './model.ts'

describe('a random history', () => {
  it('has up to 25 members, each at the outer end of its side of its sponsor', () =>
    always(({ members }) => {
      expect(members.length).toBeLessThanOrEqual(25)
      expect(members[0]).toMatchObject({ id: 1, sponsorId: null, parentId: null, side: null })
      members.slice(1).forEach((member, at) => {
        expect(member.id).toBe(at + 2)
        expect(outwardsFrom(members.slice(0, at + 1), member)).toContain(member.sponsorId)
      })
    }))

  it('has 5 to 60 steps, all of them possible', () =>
    always((history) => {
      expect(history.steps.length).toBeGreaterThanOrEqual(5)
      expect(history.steps.length).toBeLessThanOrEqual(60)
      expect(() => runModel(history)).not.toThrow()
    }))

  it('declares no rate above the target of its plan', () =>
    always((history) => {
      const tooHigh = declarationsOf(history).filter(
        ({ percent, passive }) =>
          millionths(percent) * BigInt(passive.periodDays) > millionths(passive.percentPerPeriod),
      )
      expect(tooHigh).toEqual([])
    }))

  it('stays within what a plan may be', () =>
    always(({ rules: { passive, direct, binary } }) => {
      expect(sum(direct.levels.map(millionths)) <= millionths('60')).toBe(true)
      expect(millionths(binary.percent) <= millionths('30')).toBe(true)
      expect(millionths(passive.percentPerPeriod) <= millionths('3') * BigInt(passive.periodDays)).toBe(true)
    }))

  it('often reaches what is interesting', () => {
    const expected = fc
      .sample(histories(), { numRuns: 400, seed: 2026 })
      .map((one) => [runModel(one), one] as const)
    const shares = Object.entries(interesting).map(([what, isThere]) => ({
      what,
      percent: Math.round((100 * expected.filter((one) => isThere(...one)).length) / expected.length),
    }))
    expect(shares.filter(({ percent }) => percent < 5)).toEqual([])
  })
})

/** The members from the placement parent up, as long as they hang on the member's own side, and the one above. */
function outwardsFrom(members: readonly Member[], member: Member): number[] {
  // the seat must be free, or the member would not be at the end
  expect(members.some((one) => one.parentId === member.parentId && one.side === member.side)).toBe(false)
  return outwardsAbove(members, member)
}

function outwardsAbove(members: readonly Member[], { parentId, side }: Member): number[] {
  const parent = members.find((one) => one.id === parentId)
  if (!parent) return []
  return [parent.id, ...(parent.side === side ? outwardsAbove(members, parent) : [])]
}

/** What was declared for which day, and the plan of that day as it is known then. */
function declarationsOf({ firstDay, rules, steps }: History) {
  const declarations: { day: string; percent: string; passive: PlanRules['passive'] }[] = []
  let tomorrow = dayAfter(firstDay)
  let { passive } = rules
  let percent: string | null = null
  for (const step of steps) {
    if (step.kind === 'plan') passive = step.rules.passive
    if (step.kind === 'declare') percent = step.percent
    if (percent !== null) declarations.push({ day: tomorrow, percent, passive })
    if (step.kind !== 'day') continue
    tomorrow = dayAfter(tomorrow)
    percent = null
  }
  return declarations
}

const missedFor = (reason: string) => (account: Account) =>
  account.runs.some((run) => run.missed.some((one) => one.reason === reason))
const paid = (kind: string) => (account: Account) =>
  account.runs.some((run) => run.items.some((item) => item.kind === kind))

const paidTo = (account: Account, memberId: number) =>
  account.runs.some((run) => run.items.some((item) => item.level === 1 && item.memberId === memberId))

const interesting: Record<string, (account: Account, history: History) => boolean> = {
  'a rate declared for a day that rests': (_, history) =>
    declarationsOf(history).some(
      ({ day, percent, passive }) => passive.weekdaysOnly && isWeekend(day) && millionths(percent) > 0n,
    ),
  'a passive item': paid('passive'),
  'a direct item': paid('direct'),
  'a master item': paid('master'),
  'extra points that change after a commission with them was paid': (account, { members, steps }) =>
    members.some(({ id }) => {
      const percents = steps.flatMap((one) =>
        one.kind === 'extra' && one.memberId === id ? [one.percent] : [],
      )
      return new Set(percents).size > 1 && paidTo(account, id)
    }),
  'a binary item': paid('binary'),
  'a member matched on several days': ({ runs }) => {
    const matches = runs.filter((run) => run.kind === 'binary').flatMap((run) => run.items)
    return new Set(matches.map((item) => item.memberId)).size < matches.length
  },
  inactive: missedFor('inactive'),
  skipped: missedFor('skipped'),
  flushed: missedFor('flushed'),
  capped: missedFor('capped'),
  'no active left': missedFor('no_active_left'),
  'no active right': missedFor('no_active_right'),
  'no active referrals': missedFor('no_active_referrals'),
  'a reversal of profit': ({ reversals }) =>
    reversals.some((one) => one.taken.some(({ pool }) => pool === 'profit')),
  'a reversal of several commissions': ({ reversals }) => reversals.some((one) => one.taken.length > 2),
  'a negative carry': ({ totals }) => totals.some((one) => one.carryLeft < 0n || one.carryRight < 0n),
  'a debt of commission': ({ totals }) => totals.some((one) => one.owedCommission > 0n),
  'a debt of profit': ({ totals }) => totals.some((one) => one.owedProfit > 0n),
  'a debt of both': ({ totals }) => totals.some((one) => one.owedCommission > 0n && one.owedProfit > 0n),
  'a debt of commission that was paid, or part of it': (account) => paidOff(account, 'commission'),
  'a debt of profit that was paid, or part of it': (account) => paidOff(account, 'profit'),
  'several investments in one run': ({ runs }) =>
    runs.some((run) => run.kind === 'direct' && new Set(run.items.map((item) => item.investment)).size > 1),
}

/** Whether less is owed than reversals left owing. */
function paidOff({ reversals, totals }: Account, pool: 'profit' | 'commission'): boolean {
  const taken = reversals.flatMap((one) => one.taken).filter((one) => one.pool === pool)
  const still = totals.map((one) => (pool === 'profit' ? one.owedProfit : one.owedCommission))
  return sum(taken.map((one) => one.owed)) > sum(still)
}
