import { describe, expect, it } from 'vitest'
import { millionths } from './exact.ts'
import { begin, standingOf, take, tell } from './model.ts'
import {
  type Case,
  chain,
  commissions,
  day,
  declare,
  historyOf,
  invest,
  investEach,
  newPlan,
  plan,
  reverse,
  takenLinesOf,
} from './telling.ts'
import { bookOf } from './world.ts'

const onePercentADayUpToOne = plan({
  passive: { percentPerPeriod: '1', periodDays: 1, capMultiple: '0.01' },
})

describe('a reversal', () => {
  const cases: Case[] = [
    [
      'takes each commission back from whoever got it, and nothing from whoever missed it',
      {
        steps: [...investEach([1, 3], '0.000001'), invest(4, '1000'), commissions, reverse(2)],
      },
      ['#2: 50 of commission from 3', '#2: 10 of commission from 1'],
    ],
    [
      'takes the profit of every day back, at the rate of that day and whatever the plan is now',
      {
        steps: [
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
      },
      ['#0: 5.333333 of profit from 1'],
    ],
    [
      'of one of two investments takes what the other would not have earned, and the other the rest',
      { steps: [invest(1, '1000'), invest(1, '500'), commissions, day, reverse(0), reverse(1)] },
      ['#0: 3.333334 of profit from 1', '#1: 1.666666 of profit from 1'],
    ],
    [
      'leaves the days alone that its investment was no part of',
      { steps: [invest(1, '1000'), day, invest(1, '500'), commissions, day, reverse(1)] },
      ['#1: 1.666667 of profit from 1'],
    ],
    [
      'works capped days out again under the cap, with and without the investment',
      // 10 on the first day; on the second the cap is 15, so 5; on 500 alone the second day would have paid nothing
      {
        rules: onePercentADayUpToOne,
        steps: [invest(1, '1000'), day, invest(1, '500'), commissions, day, reverse(0), reverse(1)],
      },
      ['#0: 15 of profit from 1'],
    ],
  ]
  it.each(cases)('%s', (_, told, lines) => {
    expect(takenLinesOf(tell(historyOf(told, chain)))).toEqual(lines)
  })

  it('gives the principal back to the balance, and the room under the cap with the profit', () => {
    const steps = [invest(1, '1000'), commissions, day, reverse(0), invest(1, '400'), day]
    expect(tell(historyOf({ rules: onePercentADayUpToOne, steps }, chain)).standings[0]).toMatchObject({
      principal: millionths('400'),
      balance: millionths('1004'),
      earned: millionths('4'),
    })
  })

  it('refuses an investment that is not covered, and one already reversed', () => {
    expect(() => tell(historyOf({ steps: [invest(1, '1'), reverse(0)] }, chain))).toThrow(
      'cannot be reversed',
    )
    const twice = [invest(1, '1'), commissions, reverse(0), reverse(0)]
    expect(() => tell(historyOf({ steps: twice }, chain))).toThrow('cannot be reversed')
  })

  it('leaves what a balance cannot cover owed, which the next runs pay, commission first', () => {
    const world = begin(historyOf({}, chain))
    for (const step of [invest(1, '0.000001'), invest(2, '1000'), commissions]) take(world, step)
    // no history spends, so the test does: of the 50 received, 20 are left, and there is an older debt
    const book = bookOf(world, 1)
    book.balance = millionths('20')
    book.owedProfit = millionths('10')

    take(world, reverse(1))
    const owing = { balance: 0n, owedCommission: millionths('30'), owedProfit: millionths('10'), earned: 0n }
    expect(standingOf(world, 1)).toMatchObject(owing)

    for (const step of [invest(2, '700'), commissions]) take(world, step)
    const paid = { balance: 0n, owedCommission: 0n, owedProfit: millionths('5'), earned: millionths('35') }
    expect(standingOf(world, 1)).toMatchObject(paid)
  })

  it('takes profit that was spent from the principal it gives back', () => {
    const world = begin(historyOf({}, chain))
    for (const step of [invest(1, '1000'), commissions, day]) take(world, step)
    bookOf(world, 1).balance = 0n
    take(world, reverse(0))
    expect(standingOf(world, 1)).toMatchObject({ balance: millionths('996.666667'), owedProfit: 0n })
  })
})
