import { describe, expect, it } from 'vitest'
import { sum, timesOf } from './exact.ts'
import { accountOf, always, commissions, day, master, reverse } from './fixtures.ts'
import type { Account, History, Item, Member, MemberTotals, PlanRules, Side, Step } from './history.ts'
import { addedByBalance, runModel } from './model.ts'

const ascending = (a: number, b: number) => a - b

function itemsOf(history: History): readonly Item[] {
  return runModel(history).runs.flatMap((run) => run.items)
}

/** What of an investment came from its member's balance. */
function fromBalance(step: Step): bigint {
  if (step.kind === 'complete') return addedByBalance(step.amount, step.received)
  return step.kind === 'reinvest' ? step.amount : 0n
}

/** The investments of a history: member, amount, what of it the balance paid, and whether it was reversed later. */
function investmentsOf(steps: readonly Step[]) {
  const reversed = new Set(steps.flatMap((step) => (step.kind === 'reverse' ? [step.investment] : [])))
  return steps
    .flatMap((step) => ('amount' in step ? [step] : []))
    .map((step, index) => ({
      memberId: step.memberId,
      amount: step.amount,
      fromBalance: fromBalance(step),
      stands: !reversed.has(index),
    }))
}

function withAllReversed(history: History): History {
  const reversals = investmentsOf(history.steps).flatMap(({ stands }, index) =>
    stands ? [reverse(index)] : [],
  )
  return { ...history, steps: [...history.steps, commissions, ...reversals] }
}

describe('the model', () => {
  it('has both daily runs every day, the new day’s profit before the match of the day that ended', () => {
    const { runs } = accountOf([day, commissions, day])
    expect(runs).toEqual([
      { kind: 'passive', period: '2026-05-05', items: [], missed: [] },
      { kind: 'binary', period: '2026-05-04', items: [], missed: [] },
      { kind: 'passive', period: '2026-05-06', items: [], missed: [] },
      { kind: 'binary', period: '2026-05-05', items: [], missed: [] },
    ])
  })

  it('refuses a master link twice, and above the root', () => {
    expect(() => accountOf([master(1)])).toThrow('cannot become a master link')
    expect(() => accountOf([master(2), master(2)])).toThrow('cannot become a master link')
  })

  it('computes a prefix of a history as it computes the whole', () =>
    always((history) => {
      const half = { ...history, steps: history.steps.slice(0, history.steps.length / 2) }
      const { runs, reversals } = runModel(half)
      expect(runModel(history).runs.slice(0, runs.length)).toEqual(runs)
      expect(runModel(history).reversals.slice(0, reversals.length)).toEqual(reversals)
    }))
})

describe('of every history it holds that', () => {
  it('every item and every miss is above zero and sorted by member', () =>
    always((history) => {
      for (const { items, missed } of runModel(history).runs) {
        for (const lines of [items, missed]) {
          expect(lines.every((line) => line.amount > 0n)).toBe(true)
          expect(lines.map((line) => line.memberId)).toEqual(
            lines.map((line) => line.memberId).toSorted(ascending),
          )
        }
      }
    }))

  it('points are conserved: on both sides of a member, what was given is what was matched and what is carried', () =>
    always((history) => {
      const expected = { ...history, steps: [...history.steps, day] }
      const matches = itemsOf(expected).filter((item) => item.kind === 'binary')
      for (const { memberId, carryLeft, carryRight } of runModel(expected).totals) {
        const matchedLeft = pointsBelow(expected, memberId, 'L') - carryLeft
        const matchedRight = pointsBelow(expected, memberId, 'R') - carryRight
        const paidFor = sum(matches.filter((item) => item.memberId === memberId).map((item) => item.basis))
        expect(matchedLeft).toBe(matchedRight)
        // matched, but worth less than a micro-USDT, are only ever crumbs
        expect(matchedLeft >= paidFor).toBe(true)
      }
    }))

  it('nobody is paid above a cap', () =>
    always((history) => {
      for (const midnight of midnightsOf(history)) {
        for (const item of midnight.items) {
          const { principal } = midnight.totals(item.memberId)
          if (item.kind === 'binary') {
            expect(item.amount <= principal && item.amount <= midnight.rulesOfEnded.binary.dailyCap).toBe(
              true,
            )
          } else {
            const multiple = midnight.rules.passive.capMultiple ?? '1000000'
            expect(midnight.profitEver(item.memberId) <= timesOf(principal, multiple)).toBe(true)
          }
        }
      }
    }))

  it('nobody is paid without principal', () =>
    always((history) => {
      for (const midnight of midnightsOf(history)) {
        expect(midnight.items.every((item) => midnight.totals(item.memberId).principal > 0n)).toBe(true)
      }
    }))

  it('a reversal takes back each commission of its investment, no more and no less', () =>
    always((history) => {
      const items = itemsOf(history)
      for (const { investment, taken } of runModel(history).reversals) {
        const paid = items.filter((item) => item.investment === investment)
        const back = taken.filter(({ pool }) => pool === 'commission')
        expect(sum(back.map((one) => one.amount))).toBe(sum(paid.map((one) => one.amount)))
        expect(back.map((one) => one.memberId).toSorted(ascending)).toEqual(
          paid.map((one) => one.memberId).toSorted(ascending),
        )
      }
    }))

  it('reversing every investment leaves nobody with anything earned but by the binary match', () =>
    always((history) => {
      const undone = withAllReversed(history)
      const matches = itemsOf(undone).filter((item) => item.kind === 'binary')
      for (const { memberId, principal, earned } of runModel(undone).totals) {
        const matched = matches.filter((item) => item.memberId === memberId)
        expect({ principal, earned }).toEqual({
          principal: 0n,
          earned: sum(matched.map((one) => one.amount)),
        })
      }
    }))

  it('what a member has, less what it owes, is what it earned and got back, less what it reinvested', () =>
    always((history) => {
      for (const { memberId, principal, balance, earned, ...owed } of runModel(history).totals) {
        const own = investmentsOf(history.steps).filter((one) => one.memberId === memberId)
        const amountOf = (some: typeof own) => sum(some.map((one) => one.amount))
        const stands = amountOf(own.filter((one) => one.stands))
        const givenBack = amountOf(own.filter((one) => !one.stands))
        const reinvested = sum(own.map((one) => one.fromBalance))
        const returned = sum(
          history.steps.map((step) =>
            step.kind === 'cancel' && step.memberId === memberId ? step.received : 0n,
          ),
        )
        expect({ principal, has: balance - owed.owedProfit - owed.owedCommission }).toEqual({
          principal: stands,
          has: earned + givenBack + returned - reinvested,
        })
        expect(balance >= 0n && owed.owedProfit >= 0n && owed.owedCommission >= 0n).toBe(true)
      }
    }))

  it('without reinvesting nobody ever owes', () =>
    always(({ steps, ...others }) => {
      const saving = { ...others, steps: withoutReinvesting(steps) }
      for (const { owedProfit, owedCommission } of runModel(saving).totals)
        expect({ owedProfit, owedCommission }).toEqual({ owedProfit: 0n, owedCommission: 0n })
    }))

  it('nobody keeps a balance and a debt once commissions were computed, or a day began', () =>
    always((history) => {
      for (const step of [commissions, day]) {
        for (const one of runModel({ ...history, steps: [...history.steps, step] }).totals)
          expect(one.balance === 0n || (one.owedProfit === 0n && one.owedCommission === 0n)).toBe(true)
      }
    }))
})

/** New money comes instead. */
function withoutReinvesting(steps: readonly Step[]): Step[] {
  return steps.map((step) => ('amount' in step ? { ...step, kind: 'invest' } : step))
}

/** All points ever given to a side, less those taken by reversals. */
function pointsBelow({ members, steps }: History, memberId: number, side: Side): bigint {
  const first = members.filter((one) => one.parentId === memberId && one.side === side)
  const all = (top: Member): Member[] => [
    top,
    ...members.filter((one) => one.parentId === top.id).flatMap(all),
  ]
  const ids = new Set(first.flatMap(all).map((one) => one.id))
  return sum(investmentsOf(steps).flatMap((one) => (one.stands && ids.has(one.memberId) ? [one.amount] : [])))
}

interface Midnight {
  readonly rulesOfEnded: PlanRules
  readonly rules: PlanRules
  /** What the two runs of this midnight paid. */
  readonly items: readonly Item[]
  readonly totals: (memberId: number) => MemberTotals
  readonly profitEver: (memberId: number) => bigint
}

/** Every midnight of a history, each computed from the history up to it. */
function midnightsOf(history: History): Midnight[] {
  return history.steps.flatMap((step, at) => {
    if (step.kind !== 'day') return []
    const before = history.steps.slice(0, at)
    const account = runModel({ ...history, steps: [...before, step] })
    return {
      rulesOfEnded: rulesAfter(
        history,
        before.slice(0, before.findLastIndex(({ kind }) => kind === 'day') + 1),
      ),
      rules: rulesAfter(history, before),
      items: account.runs.slice(-2).flatMap((run) => run.items),
      totals: (memberId) => totalsIn(account.totals, memberId),
      profitEver: (memberId) => profitIn(account, memberId),
    }
  })
}

/** The plan set last: the one in force once the midnight after these steps has passed. */
function rulesAfter(history: History, steps: readonly Step[]): PlanRules {
  const last = steps.findLast((step) => step.kind === 'plan')
  return last?.kind === 'plan' ? last.rules : history.rules
}

function totalsIn(totals: readonly MemberTotals[], memberId: number): MemberTotals {
  const found = totals.find((one) => one.memberId === memberId)
  if (!found) throw new Error(`member ${memberId} has no totals`)
  return found
}

function profitIn({ runs, reversals }: Account, memberId: number): bigint {
  const paid = runs.flatMap((run) => run.items).filter((item) => item.kind === 'passive')
  const taken = reversals.flatMap((one) => one.taken).filter(({ pool }) => pool === 'profit')
  const ofMember = (all: readonly { memberId: number; amount: bigint }[]) =>
    sum(all.filter((one) => one.memberId === memberId).map((one) => one.amount))
  return ofMember(paid) - ofMember(taken)
}
