import { describe, expect, it } from 'vitest'
import { millionths } from './exact.ts'
import {
  type Case,
  commissions,
  day,
  historyOf,
  invest,
  investEach,
  linesOf,
  newPlan,
  plan,
  reverse,
  tree,
} from './fixtures.ts'
import { runModel } from './model.ts'

const cappedAt30 = plan({ binary: { dailyCap: millionths('30') } })

describe('the binary match', () => {
  const cases: Case[] = [
    [
      'pays ten percent of the weaker leg, and carries the rest of the stronger over days',
      {
        steps: [invest(1, '100'), invest(2, '1000'), invest(3, '400'), day, day, invest(5, '700'), day],
      },
      ['2026-05-04: 1 gets binary 40 on 400', '2026-05-06: 1 gets binary 60 on 600'],
    ],
    [
      'gives points to every placement ancestor, however deep, on its own side',
      { steps: [...investEach([1, 2, 3], '100'), invest(6, '300'), invest(5, '200'), day] },
      ['2026-05-04: 1 gets binary 30 on 300'],
    ],
    [
      'flushes what is above the daily cap, and the points are gone',
      { rules: cappedAt30, steps: [...investEach([1, 2, 3], '400'), day, day] },
      ['2026-05-04: 1 gets binary 30 on 400', '2026-05-04: 1 misses binary 10, flushed'],
    ],
    [
      'pays the cap in full where it is met exactly',
      { rules: cappedAt30, steps: [...investEach([1, 2, 3], '300'), day] },
      ['2026-05-04: 1 gets binary 30 on 300'],
    ],
    [
      "flushes what is above the member's own principal",
      { steps: [invest(1, '25'), ...investEach([2, 3], '400'), day] },
      ['2026-05-04: 1 gets binary 25 on 400', '2026-05-04: 1 misses binary 15, flushed'],
    ],
    [
      'waits for an inactive member, expected only on days with new points, and is paid once active',
      {
        steps: [
          ...investEach([2, 3], '400'),
          day,
          day,
          invest(3, '50'),
          day,
          invest(2, '10'),
          day,
          invest(1, '500'),
          day,
        ],
      },
      [
        '2026-05-04: 1 misses binary 40, inactive',
        '2026-05-06: 1 misses binary 40, inactive',
        '2026-05-07: 1 misses binary 41, inactive',
        '2026-05-08: 1 gets binary 41 on 410',
      ],
    ],
    [
      'records no more than the daily cap for an unqualified member',
      { rules: cappedAt30, steps: [...investEach([2, 3], '400'), day] },
      ['2026-05-04: 1 misses binary 30, inactive'],
    ],
    [
      'needs an active direct referral on the left',
      { steps: [...investEach([1, 4, 3], '400'), day] },
      ['2026-05-04: 1 misses binary 40, no_active_left'],
    ],
    [
      'needs an active direct referral on the right',
      { steps: [...investEach([1, 2, 5], '400'), day] },
      ['2026-05-04: 1 misses binary 40, no_active_right'],
    ],
    [
      'needs active direct referrals at all',
      { steps: [...investEach([1, 4, 5], '400'), day] },
      ['2026-05-04: 1 misses binary 40, no_active_referrals'],
    ],
    [
      'accepts a referral who was placed far below, by spillover',
      { steps: [...investEach([1, 6, 3], '400'), day] },
      ['2026-05-04: 1 gets binary 40 on 400'],
    ],
    [
      'judges who is active at the midnight that ends the day',
      { steps: [...investEach([1, 2, 3], '400'), commissions, reverse(0), day] },
      ['2026-05-04: 1 misses binary 40, inactive'],
    ],
    [
      'takes the points of a reversal away, on the very day it was invested',
      { steps: [...investEach([1, 2, 2, 3], '400'), commissions, reverse(2), reverse(3), day] },
      [],
    ],
    [
      'lets a side go below zero by a reversal, which new points must first make up for',
      {
        steps: [
          ...investEach([1, 2, 3], '400'),
          commissions,
          day,
          reverse(1),
          invest(3, '100'),
          day,
          invest(2, '500'),
          day,
        ],
      },
      ['2026-05-04: 1 gets binary 40 on 400', '2026-05-06: 1 gets binary 10 on 100'],
    ],
    [
      'uses points up even where they earn less than a micro-USDT',
      {
        steps: [
          invest(1, '100'),
          ...investEach([2, 3], '0.000009'),
          day,
          ...investEach([2, 3], '0.000001'),
          day,
        ],
      },
      [],
    ],
    [
      'of a day follows the plan that was in force when that day began',
      {
        steps: [
          ...investEach([1, 2, 3], '400'),
          newPlan(plan({ binary: { percent: '20' } })),
          day,
          ...investEach([2, 3], '100'),
          day,
        ],
      },
      ['2026-05-04: 1 gets binary 40 on 400', '2026-05-05: 1 gets binary 20 on 100'],
    ],
  ]
  it.each(cases)('%s', (_, expected, lines) => {
    expect(linesOf(runModel(historyOf(expected, tree)), 'binary')).toEqual(lines)
  })

  it('leaves the unmatched points of each side standing, the negative ones too', () => {
    const steps = [...investEach([1, 2, 3], '400'), commissions, day, reverse(1), invest(5, '100'), day]
    expect(runModel(historyOf({ steps }, tree)).totals[0]).toMatchObject({
      carryLeft: -millionths('400'),
      carryRight: millionths('100'),
    })
  })
})
