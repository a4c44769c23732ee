import { describe, expect, it } from 'vitest'
import { millionths } from './exact.ts'
import {
  accountOf,
  type Cases,
  chain,
  commissions,
  day,
  declare,
  invest,
  investEach,
  itComesTo,
  linesOf,
  newPlan,
  onePercentADayUpToOne,
  plan,
  reinvest,
  reverse,
  takenLinesOf,
} from './fixtures.ts'
import type { MemberTotals, Step } from './history.ts'

describe('a reversal', () => {
  const cases: Cases = {
    'takes each commission back from the member who got it, and nothing from a member who missed it': [
      [...investEach([1, 3], '0.000001'), invest(4, '1000'), commissions, reverse(2)],
      '#2: 50 of commission from 3',
      '#2: 10 of commission from 1',
    ],
    'takes the profit of every day back, at the rate of that day and whatever the plan is now': [
      [
        invest(1, '1000'),
        commissions,
        declare('0.1'),
        day,
        newPlan(plan({ passive: { percentPerPeriod: '3' } })),
        day,
        newPlan(plan()),
        day,
        reverse(0),
      ],
      '#0: 5.333333 of profit from 1',
    ],
    'of one of two investments takes what the other would not have earned, and the other the rest': [
      [invest(1, '1000'), invest(1, '500'), commissions, day, reverse(0), reverse(1)],
      '#0: 3.333334 of profit from 1',
      '#1: 1.666666 of profit from 1',
    ],
    'leaves the days alone that its investment was no part of': [
      [invest(1, '1000'), day, invest(1, '500'), commissions, day, reverse(1)],
      '#1: 1.666667 of profit from 1',
    ],
    'works capped days out again under the cap, with and without the investment': [
      // 10 on the first day; on the second the cap is 15, so 5; on 500 alone the second day would have paid nothing
      {
        rules: onePercentADayUpToOne,
        steps: [invest(1, '1000'), day, invest(1, '500'), commissions, day, reverse(0), reverse(1)],
      },
      '#0: 15 of profit from 1',
    ],
  }
  itComesTo(cases, chain, takenLinesOf)

  it('gives the principal back to the balance, and the room under the cap with the profit', () => {
    const steps = [invest(1, '1000'), commissions, day, reverse(0), invest(1, '400'), day]
    expect(accountOf({ rules: onePercentADayUpToOne, steps }, chain).totals[0]).toMatchObject({
      principal: millionths('400'),
      balance: millionths('1004'),
      earned: millionths('4'),
    })
  })

  it('refuses an investment that is not covered, and one already reversed', () => {
    expect(() => accountOf([invest(1, '1'), reverse(0)])).toThrow('cannot be reversed')
    const twice = [invest(1, '1'), commissions, reverse(0), reverse(0)]
    expect(() => accountOf(twice)).toThrow('cannot be reversed')
  })

  it('takes profit that was spent from the principal it gives back', () => {
    const steps = [invest(1, '1000'), commissions, day, reinvest(1, '3.333333'), reverse(0)]
    expect(accountOf(steps).totals[0]).toMatchObject({
      principal: millionths('3.333333'),
      balance: millionths('996.666667'),
      owedProfit: 0n,
    })
  })
})

/** By title: the steps, the totals of member 1 after them, and what reversals took. */
type Debts = Record<string, [steps: Step[], totals: Partial<MemberTotals>, lines?: string[]]>

describe('what a balance cannot cover', () => {
  const active = [invest(1, '0.000001'), invest(2, '1000'), commissions]

  const debts: Debts = {
    'is owed, and nothing else changes': [
      // 1 got 50 and put 30 of it back in
      [...active, reinvest(1, '30'), reverse(1)],
      { principal: 30_000_001n, balance: 0n, owedCommission: millionths('30'), owedProfit: 0n, earned: 0n },
      ['#1: 50 of commission from 1, 30 of it owed'],
    ],
    'is owed of every investment, one after the other': [
      [...active, invest(3, '1000'), commissions, reinvest(1, '70'), reverse(1), reverse(2)],
      { balance: 0n, owedCommission: millionths('70'), earned: 0n },
      [
        '#1: 50 of commission from 1, 50 of it owed',
        '#2: 50 of commission from 2',
        '#2: 20 of commission from 1, 20 of it owed',
      ],
    ],
    'is paid by the next commissions as far as they go': [
      [...active, reinvest(1, '50'), reverse(1), invest(2, '700'), commissions],
      { balance: 0n, owedCommission: millionths('15'), earned: millionths('35') },
      ['#1: 50 of commission from 1, 50 of it owed'],
    ],
    'is paid by the next day’s profit, which leaves the rest of it in the balance': [
      [...active, reinvest(1, '50'), reverse(1), invest(1, '29950'), day],
      // a three-hundredth of 30000.000001
      {
        balance: millionths('50'),
        owedCommission: 0n,
        earned: millionths('100'),
        earnedProfit: millionths('100'),
      },
      ['#1: 50 of commission from 1, 50 of it owed'],
    ],
    'of profit is what an investment earned more than itself': [
      // #1 makes each of two days pay 2 instead of 1; #2 is those 4
      [
        invest(1, '0.000599'),
        invest(1, '0.000001'),
        commissions,
        day,
        day,
        reinvest(1, '0.000004'),
        reverse(1),
      ],
      { balance: 0n, owedProfit: 1n, owedCommission: 0n, earned: 2n, earnedProfit: 2n },
      ['#1: 0.000002 of profit from 1, 0.000001 of it owed'],
    ],
  }
  for (const [title, [steps, totals, lines]] of Object.entries(debts))
    it(title, () => {
      const account = accountOf(steps)
      expect(account.totals[0]).toMatchObject(totals)
      expect(takenLinesOf(account)).toEqual(lines)
    })

  /** Of 1: a debt of 1 of profit, and of 50 of commission. */
  const owingBoth = [
    ...[invest(1, '0.000599'), invest(1, '0.000001'), invest(2, '1000'), commissions, day, day],
    ...[reinvest(1, '50.000004'), reverse(1), reverse(2)],
  ]

  const both: Debts = {
    'is owed of both': [[], { owedCommission: millionths('50'), owedProfit: 1n, balance: 0n }],
    'is paid of commission first': [
      [invest(2, '999.99998'), commissions],
      { owedCommission: 1n, owedProfit: 1n, balance: 0n },
    ],
    'is paid of profit once no commission is owed': [
      [invest(2, '1000.00002'), commissions],
      { owedCommission: 0n, owedProfit: 0n, balance: 0n },
    ],
    'is not paid by the principal that a reversal returns, until commissions are computed or a day begins': [
      [invest(1, '40'), commissions, reverse(4)],
      { owedCommission: millionths('50'), owedProfit: 1n, balance: millionths('40') },
    ],
    'is paid by it then, even where there is nothing to compute': [
      [invest(1, '40'), commissions, reverse(4), commissions],
      { owedCommission: millionths('10'), owedProfit: 1n, balance: 0n },
    ],
    'is free to be put back in before': [
      [invest(1, '40'), commissions, reverse(4), reinvest(1, '40'), commissions],
      { owedCommission: millionths('50'), owedProfit: 1n, balance: 0n, principal: 90_000_603n },
    ],
  }
  for (const [title, [steps, totals]] of Object.entries(both))
    it(title, () => {
      expect(accountOf([...owingBoth, ...steps]).totals[0]).toMatchObject(totals)
    })
})

describe('reinvesting', () => {
  it('is an investment like any other: numbered, commissioned, reversible', () => {
    const steps = [
      ...[invest(1, '0.000001'), invest(2, '1000'), commissions, day, reinvest(2, '3'), commissions],
      reverse(2),
    ]
    const account = accountOf(steps)
    expect(linesOf(account, 'direct')).toContain('2-2: 1 gets direct 0.15 on 3 at level 1 of #2')
    expect(takenLinesOf(account)).toEqual(['#2: 0.15 of commission from 1'])
    expect(account.totals[1]).toMatchObject({
      principal: millionths('1000'),
      balance: millionths('3.333333'),
    })
  })

  it('is refused above the balance', () => {
    const steps = [invest(1, '1000'), commissions, day, reinvest(1, '3.333334')]
    expect(() => accountOf(steps)).toThrow('to reinvest')
  })
})
