import { describe, expect, it } from 'vitest'
import { type Case, chain, day, declare, historyOf, invest, linesOf, newPlan, plan } from './fixtures.ts'
import { runModel } from './model.ts'

const cappedAtOnePercent = plan({ passive: { capMultiple: '0.01' } })

describe('passive profit', () => {
  const cases: Case[] = [
    [
      'is a thirtieth of ten percent a day',
      { steps: [invest(1, '1000'), day] },
      ['2026-05-05: 1 gets passive 3.333333 on 1000'],
    ],
    [
      'counts the principal that stands at midnight, top-ups included',
      { steps: [invest(1, '1000'), day, invest(1, '500'), day] },
      ['2026-05-05: 1 gets passive 3.333333 on 1000', '2026-05-06: 1 gets passive 5 on 1500'],
    ],
    [
      'truncates, so that it begins at the principal that earns a whole micro-USDT',
      { steps: [invest(1, '0.000299'), invest(2, '0.0003'), invest(3, '0.000001'), day] },
      ['2026-05-05: 2 gets passive 0.000001 on 0.0003'],
    ],
    [
      'follows the rate declared last, for the next day only',
      { steps: [invest(1, '1000'), declare('0.3'), declare('0.1'), day, day] },
      ['2026-05-05: 1 gets passive 1 on 1000', '2026-05-06: 1 gets passive 3.333333 on 1000'],
    ],
    ['is nothing on a day declared at zero', { steps: [invest(1, '1000'), declare('0'), day] }, []],
    [
      'rests at the weekend where the plan says so, even if a rate was declared',
      {
        firstDay: '2026-05-07',
        rules: plan({ passive: { weekdaysOnly: true } }),
        steps: [invest(1, '1000'), day, declare('0.1'), day, day, day],
      },
      ['2026-05-08: 1 gets passive 3.333333 on 1000', '2026-05-11: 1 gets passive 3.333333 on 1000'],
    ],
    [
      'goes on at the weekend where the plan does not say so',
      { firstDay: '2026-05-08', steps: [invest(1, '1000'), day] },
      ['2026-05-09: 1 gets passive 3.333333 on 1000'],
    ],
    [
      'stops at the cap and says so once, on the day that reaches it',
      { rules: cappedAtOnePercent, steps: [invest(1, '1000'), day, day, day, day, day] },
      [
        '2026-05-05: 1 gets passive 3.333333 on 1000',
        '2026-05-06: 1 gets passive 3.333333 on 1000',
        '2026-05-07: 1 gets passive 3.333333 on 1000',
        '2026-05-08: 1 gets passive 0.000001 on 1000',
        '2026-05-08: 1 misses passive 3.333332, capped',
      ],
    ],
    [
      'says nothing where the cap is met exactly',
      {
        rules: plan({ passive: { percentPerPeriod: '1', periodDays: 1, capMultiple: '0.01' } }),
        steps: [invest(1, '1000'), day, day],
      },
      ['2026-05-05: 1 gets passive 10 on 1000'],
    ],
    [
      'resumes when a top-up raises the cap',
      {
        rules: plan({ passive: { percentPerPeriod: '1', periodDays: 1, capMultiple: '0.01' } }),
        steps: [invest(1, '1000'), day, invest(1, '500'), day],
      },
      [
        '2026-05-05: 1 gets passive 10 on 1000',
        '2026-05-06: 1 gets passive 5 on 1500',
        '2026-05-06: 1 misses passive 10, capped',
      ],
    ],
    [
      'follows a new plan from the next day on',
      {
        steps: [invest(1, '1000'), newPlan(plan({ passive: { percentPerPeriod: '3' } })), day],
      },
      ['2026-05-05: 1 gets passive 1 on 1000'],
    ],
  ]
  it.each(cases)('%s', (_, expected, lines) => {
    expect(linesOf(runModel(historyOf(expected, chain)), 'passive')).toEqual(lines)
  })
})
