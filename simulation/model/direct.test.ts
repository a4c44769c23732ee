import { describe, expect, it } from 'vitest'
import {
  type Case,
  chain,
  commissions,
  day,
  historyOf,
  invest,
  investEach,
  linesOf,
  master,
  newPlan,
  plan,
} from './fixtures.ts'
import { runModel } from './model.ts'

/** Everyone but the investor is active, and their own investments are out of the way. */
const othersActive = (ids: readonly number[]) => [...investEach(ids, '0.000001'), commissions]

describe('a direct commission', () => {
  const compressing = plan({ direct: { levels: ['5', '2'], compression: true } })
  const cases: Case[] = [
    [
      'goes three levels up the sponsor chain',
      { steps: [...othersActive([1, 2, 3, 4]), invest(5, '1000'), commissions] },
      [
        '4-4: 2 gets direct 10 on 1000 at level 3 of #4',
        '4-4: 3 gets direct 20 on 1000 at level 2 of #4',
        '4-4: 4 gets direct 50 on 1000 at level 1 of #4',
      ],
    ],
    [
      'goes on over master links, whose levels number on, and a master link within the levels changes nothing',
      { steps: [...othersActive([1, 2, 3, 4, 5]), master(6), master(2), invest(6, '1000'), commissions] },
      [
        '5-5: 1 gets master 10 on 1000 at level 5 of #5',
        '5-5: 3 gets direct 10 on 1000 at level 3 of #5',
        '5-5: 4 gets direct 20 on 1000 at level 2 of #5',
        '5-5: 5 gets direct 50 on 1000 at level 1 of #5',
      ],
    ],
    [
      'is missed by a sponsor who is inactive, at flat and at master levels',
      { steps: [...othersActive([2, 4]), master(2), invest(5, '1000'), commissions] },
      [
        '2-2: 2 gets direct 10 on 1000 at level 3 of #2',
        '2-2: 4 gets direct 50 on 1000 at level 1 of #2',
        '2-2: 1 misses master 10 at level 4 of #2, inactive',
        '2-2: 3 misses direct 20 at level 2 of #2, inactive',
      ],
    ],
    [
      'is neither paid nor missed where it truncates to nothing',
      { steps: [...othersActive([2]), invest(3, '0.00002'), commissions] },
      ['1-1: 2 gets direct 0.000001 on 0.00002 at level 1 of #1'],
    ],
    [
      'judges who is active when the batch is computed, not when the investment was made',
      { steps: [invest(2, '1000'), invest(1, '1000'), commissions] },
      ['0-1: 1 gets direct 50 on 1000 at level 1 of #0'],
    ],
    [
      'is sorted by member, then by investment, within a batch',
      { steps: [...othersActive([1, 2]), invest(3, '100'), invest(2, '100'), commissions, commissions] },
      [
        '2-3: 1 gets direct 2 on 100 at level 2 of #2',
        '2-3: 1 gets direct 5 on 100 at level 1 of #3',
        '2-3: 2 gets direct 5 on 100 at level 1 of #2',
      ],
    ],
    [
      'follows the plan its investment was made under, with a run for each plan version',
      {
        steps: [
          ...othersActive([1]),
          invest(2, '100'),
          newPlan(plan({ direct: { levels: ['7'] } })),
          invest(2, '200'),
          day,
          invest(2, '100'),
          commissions,
        ],
      },
      [
        '1-2: 1 gets direct 5 on 100 at level 1 of #1',
        '1-2: 1 gets direct 10 on 200 at level 1 of #2',
        '3-3: 1 gets direct 7 on 100 at level 1 of #3',
      ],
    ],
    [
      'under compression walks past the inactive, and says who was skipped',
      { rules: compressing, steps: [...othersActive([1, 3]), invest(5, '1000'), commissions] },
      [
        '2-2: 1 gets direct 20 on 1000 at level 2 of #2',
        '2-2: 3 gets direct 50 on 1000 at level 1 of #2',
        '2-2: 2 misses direct 20 at level 2 of #2, skipped',
        '2-2: 4 misses direct 50 at level 1 of #2, skipped',
      ],
    ],
    [
      'under compression numbers master levels by the active only, and skips only over master links',
      {
        rules: plan({ direct: { levels: ['5'], compression: true } }),
        steps: [...othersActive([1, 5]), master(2), master(3), invest(6, '1000'), commissions],
      },
      [
        '2-2: 1 gets master 10 on 1000 at level 2 of #2',
        '2-2: 5 gets direct 50 on 1000 at level 1 of #2',
        '2-2: 2 misses master 10 at level 2 of #2, skipped',
      ],
    ],
    [
      'under compression counts an active sponsor above a plain link as a level of its own',
      {
        rules: plan({ direct: { levels: ['5'], compression: true } }),
        steps: [...othersActive([1, 2, 3]), master(2), invest(4, '1000'), commissions],
      },
      ['3-3: 1 gets master 10 on 1000 at level 3 of #3', '3-3: 3 gets direct 50 on 1000 at level 1 of #3'],
    ],
  ]
  it.each(cases)('%s', (_, expected, lines) => {
    expect(linesOf(runModel(historyOf(expected, chain)), 'direct')).toEqual(lines)
  })

  const withExtras = chain.map((one) => ({ ...one, extraPercent: one.id === 1 ? '9' : '0.5' }))

  it("adds the sponsor's extra percentage at level 1 and nowhere else", () => {
    const expected = { steps: [...othersActive([1, 2]), invest(3, '1000'), commissions] }
    expect(linesOf(runModel(historyOf(expected, withExtras)), 'direct').slice(-2)).toEqual([
      '2-2: 1 gets direct 20 on 1000 at level 2 of #2',
      '2-2: 2 gets direct 55 on 1000 at level 1 of #2',
    ])
  })

  it('counts the extra percentage of the member skipped at level 1, and of the one who gets it instead', () => {
    const expected = { rules: compressing, steps: [...othersActive([1]), invest(3, '1000'), commissions] }
    expect(linesOf(runModel(historyOf(expected, withExtras)), 'direct')).toEqual([
      '1-1: 1 gets direct 140 on 1000 at level 1 of #1',
      '1-1: 2 misses direct 55 at level 1 of #1, skipped',
    ])
  })
})
