import { describe, expect, it } from 'vitest'
import { millionths } from './exact.ts'
import {
  accountOf,
  type Cases,
  chain,
  commissions,
  day,
  days,
  declare,
  extra,
  invest,
  investEach,
  itComesTo,
  linesOf,
  master,
  newPlan,
  onePercentADayUpToOne,
  plan,
  reverse,
  tree,
} from './fixtures.ts'

/** Everyone but the investor is active, and their own investments are out of the way. */
const othersActive = (ids: readonly number[]) => [...investEach(ids, '0.000001'), commissions]

describe('a direct commission', () => {
  const compressingOneLevel = plan({ direct: { levels: ['5'], compression: true } })
  const compressing = plan({ direct: { levels: ['5', '2'], compression: true } })
  const cases: Cases = {
    'goes three levels up the sponsor chain': [
      [...othersActive([1, 2, 3, 4]), invest(5, '1000'), commissions],
      '4-4: 2 gets direct 10 on 1000 at level 3 of #4',
      '4-4: 3 gets direct 20 on 1000 at level 2 of #4',
      '4-4: 4 gets direct 50 on 1000 at level 1 of #4',
    ],
    'goes on over master links, whose levels number on, and a master link within the levels changes nothing':
      [
        [...othersActive([1, 2, 3, 4, 5]), master(6), master(2), invest(6, '1000'), commissions],
        '5-5: 1 gets master 10 on 1000 at level 5 of #5',
        '5-5: 3 gets direct 10 on 1000 at level 3 of #5',
        '5-5: 4 gets direct 20 on 1000 at level 2 of #5',
        '5-5: 5 gets direct 50 on 1000 at level 1 of #5',
      ],
    'is missed by a sponsor who is inactive, at flat and at master levels': [
      [...othersActive([2, 4]), master(2), invest(5, '1000'), commissions],
      '2-2: 2 gets direct 10 on 1000 at level 3 of #2',
      '2-2: 4 gets direct 50 on 1000 at level 1 of #2',
      '2-2: 1 misses master 10 at level 4 of #2, inactive',
      '2-2: 3 misses direct 20 at level 2 of #2, inactive',
    ],
    'is neither paid nor missed where it truncates to nothing': [
      [...othersActive([2]), invest(3, '0.00002'), commissions],
      '1-1: 2 gets direct 0.000001 on 0.00002 at level 1 of #1',
    ],
    'judges who is active when the batch is computed, not when the investment was made': [
      [invest(2, '1000'), invest(1, '1000'), commissions],
      '0-1: 1 gets direct 50 on 1000 at level 1 of #0',
    ],
    'is sorted by member, then by investment, within a batch': [
      [...othersActive([1, 2]), invest(3, '100'), invest(2, '100'), commissions, commissions],
      '2-3: 1 gets direct 2 on 100 at level 2 of #2',
      '2-3: 1 gets direct 5 on 100 at level 1 of #3',
      '2-3: 2 gets direct 5 on 100 at level 1 of #2',
    ],
    'follows the plan its investment was made under, with a run for each plan version': [
      [
        ...othersActive([1]),
        invest(2, '100'),
        newPlan(plan({ direct: { levels: ['7'] } })),
        invest(2, '200'),
        day,
        invest(2, '100'),
        commissions,
      ],
      '1-2: 1 gets direct 5 on 100 at level 1 of #1',
      '1-2: 1 gets direct 10 on 200 at level 1 of #2',
      '3-3: 1 gets direct 7 on 100 at level 1 of #3',
    ],
    'under compression walks past the inactive, and says who was skipped': [
      { rules: compressing, steps: [...othersActive([1, 3]), invest(5, '1000'), commissions] },
      '2-2: 1 gets direct 20 on 1000 at level 2 of #2',
      '2-2: 3 gets direct 50 on 1000 at level 1 of #2',
      '2-2: 2 misses direct 20 at level 2 of #2, skipped',
      '2-2: 4 misses direct 50 at level 1 of #2, skipped',
    ],
    'under compression numbers master levels by the active only, and skips only over master links': [
      {
        rules: compressingOneLevel,
        steps: [...othersActive([1, 5]), master(2), master(3), invest(6, '1000'), commissions],
      },
      '2-2: 1 gets master 10 on 1000 at level 2 of #2',
      '2-2: 5 gets direct 50 on 1000 at level 1 of #2',
      '2-2: 2 misses master 10 at level 2 of #2, skipped',
    ],
    'under compression counts an active sponsor above a plain link as a level of its own': [
      {
        rules: compressingOneLevel,
        steps: [...othersActive([1, 2, 3]), master(2), invest(4, '1000'), commissions],
      },
      '3-3: 1 gets master 10 on 1000 at level 3 of #3',
      '3-3: 3 gets direct 50 on 1000 at level 1 of #3',
    ],
  }
  itComesTo(cases, chain, (account) => linesOf(account, 'direct'))

  const extras = [extra(1, '9'), extra(2, '0.5')]

  it("adds the sponsor's extra percentage at level 1 and nowhere else", () => {
    const steps = [...extras, ...othersActive([1, 2]), invest(3, '1000'), commissions]
    expect(linesOf(accountOf(steps, chain), 'direct').slice(-2)).toEqual([
      '2-2: 1 gets direct 20 on 1000 at level 2 of #2',
      '2-2: 2 gets direct 55 on 1000 at level 1 of #2',
    ])
  })

  it('counts the extra percentage of the member skipped at level 1, and of the one who gets it instead', () => {
    const steps = [...extras, ...othersActive([1]), invest(3, '1000'), commissions]
    expect(linesOf(accountOf({ rules: compressing, steps }, chain), 'direct')).toEqual([
      '1-1: 1 gets direct 140 on 1000 at level 1 of #1',
      '1-1: 2 misses direct 55 at level 1 of #1, skipped',
    ])
  })

  it('takes the extra percentage that is in force when the batch is computed, and leaves what was paid', () => {
    const oneMore = [invest(2, '1000'), commissions]
    const steps = [...othersActive([1]), ...oneMore, extra(1, '2.01'), ...oneMore, extra(1, '0'), ...oneMore]
    expect(linesOf(accountOf(steps, chain), 'direct')).toEqual([
      '1-1: 1 gets direct 50 on 1000 at level 1 of #1',
      '2-2: 1 gets direct 70.1 on 1000 at level 1 of #2',
      '3-3: 1 gets direct 50 on 1000 at level 1 of #3',
    ])
  })
})

const cappedAtOnePercent = plan({ passive: { capMultiple: '0.01' } })

describe('passive profit', () => {
  const cases: Cases = {
    'is a thirtieth of ten percent a day': [
      [invest(1, '1000'), day],
      '2026-05-05: 1 gets passive 3.333333 on 1000',
    ],
    'counts the principal that stands at midnight, top-ups included': [
      [invest(1, '1000'), day, invest(1, '500'), day],
      '2026-05-05: 1 gets passive 3.333333 on 1000',
      '2026-05-06: 1 gets passive 5 on 1500',
    ],
    'truncates, so that it begins at the principal that earns a whole micro-USDT': [
      [invest(1, '0.000299'), invest(2, '0.0003'), invest(3, '0.000001'), day],
      '2026-05-05: 2 gets passive 0.000001 on 0.0003',
    ],
    'follows the rate declared last, for the next day only': [
      [invest(1, '1000'), declare('0.3'), declare('0.1'), day, day],
      '2026-05-05: 1 gets passive 1 on 1000',
      '2026-05-06: 1 gets passive 3.333333 on 1000',
    ],
    'is nothing on a day declared at zero': [[invest(1, '1000'), declare('0'), day]],
    'rests at the weekend where the plan says so, even if a rate was declared': [
      {
        firstDay: '2026-05-07',
        rules: plan({ passive: { weekdaysOnly: true } }),
        steps: [invest(1, '1000'), day, declare('0.1'), day, day, day],
      },
      '2026-05-08: 1 gets passive 3.333333 on 1000',
      '2026-05-11: 1 gets passive 3.333333 on 1000',
    ],
    'goes on at the weekend where the plan does not say so': [
      { firstDay: '2026-05-08', steps: [invest(1, '1000'), day] },
      '2026-05-09: 1 gets passive 3.333333 on 1000',
    ],
    'stops at the cap and says so once, on the day that reaches it': [
      { rules: cappedAtOnePercent, steps: [invest(1, '1000'), day, day, day, day, day] },
      '2026-05-05: 1 gets passive 3.333333 on 1000',
      '2026-05-06: 1 gets passive 3.333333 on 1000',
      '2026-05-07: 1 gets passive 3.333333 on 1000',
      '2026-05-08: 1 gets passive 0.000001 on 1000',
      '2026-05-08: 1 misses passive 3.333332, capped',
    ],
    'says nothing where the cap is met exactly': [
      { rules: onePercentADayUpToOne, steps: [invest(1, '1000'), day, day] },
      '2026-05-05: 1 gets passive 10 on 1000',
    ],
    'resumes when a top-up raises the cap': [
      { rules: onePercentADayUpToOne, steps: [invest(1, '1000'), day, invest(1, '500'), day] },
      '2026-05-05: 1 gets passive 10 on 1000',
      '2026-05-06: 1 gets passive 5 on 1500',
      '2026-05-06: 1 misses passive 10, capped',
    ],
    'follows a new plan from the next day on': [
      [invest(1, '1000'), newPlan(plan({ passive: { percentPerPeriod: '3' } })), day],
      '2026-05-05: 1 gets passive 1 on 1000',
    ],
  }
  itComesTo(cases, chain, (account) => linesOf(account, 'passive'))
})

const twentyPercent = plan({ binary: { percent: '20' } })
const cappedAt30 = plan({ binary: { dailyCap: millionths('30') } })

describe('the binary match', () => {
  const cases: Cases = {
    'pays ten percent of the weaker leg, and carries the rest of the stronger over days': [
      [invest(1, '100'), invest(2, '1000'), invest(3, '400'), day, day, invest(5, '700'), day],
      '2026-05-04: 1 gets binary 40 on 400',
      '2026-05-06: 1 gets binary 60 on 600',
    ],
    'gives points to every placement ancestor, however deep, on its own side': [
      [...investEach([1, 2, 3], '100'), invest(6, '300'), invest(5, '200'), day],
      '2026-05-04: 1 gets binary 30 on 300',
    ],
    'flushes what is above the daily cap, and the points are gone': [
      { rules: cappedAt30, steps: [...investEach([1, 2, 3], '400'), day, day] },
      '2026-05-04: 1 gets binary 30 on 400',
      '2026-05-04: 1 misses binary 10, flushed',
    ],
    'pays the cap in full where it is met exactly': [
      { rules: cappedAt30, steps: [...investEach([1, 2, 3], '300'), day] },
      '2026-05-04: 1 gets binary 30 on 300',
    ],
    "flushes what is above the member's own principal": [
      [invest(1, '25'), ...investEach([2, 3], '400'), day],
      '2026-05-04: 1 gets binary 25 on 400',
      '2026-05-04: 1 misses binary 15, flushed',
    ],
    'waits for an inactive member, expected only on days with new points, and is paid once active': [
      days(investEach([2, 3], '400'), [], [invest(3, '50')], [invest(2, '10')], [invest(1, '500')]),
      '2026-05-04: 1 misses binary 40, inactive',
      '2026-05-06: 1 misses binary 40, inactive',
      '2026-05-07: 1 misses binary 41, inactive',
      '2026-05-08: 1 gets binary 41 on 410',
    ],
    'records no more than the daily cap for an unqualified member': [
      { rules: cappedAt30, steps: [...investEach([2, 3], '400'), day] },
      '2026-05-04: 1 misses binary 30, inactive',
    ],
    'needs an active direct referral on the left': [
      [...investEach([1, 4, 3], '400'), day],
      '2026-05-04: 1 misses binary 40, no_active_left',
    ],
    'needs an active direct referral on the right': [
      [...investEach([1, 2, 5], '400'), day],
      '2026-05-04: 1 misses binary 40, no_active_right',
    ],
    'needs active direct referrals at all': [
      [...investEach([1, 4, 5], '400'), day],
      '2026-05-04: 1 misses binary 40, no_active_referrals',
    ],
    'accepts a referral who was placed far below, by spillover': [
      [...investEach([1, 6, 3], '400'), day],
      '2026-05-04: 1 gets binary 40 on 400',
    ],
    'judges who is active at the midnight that ends the day': [
      [...investEach([1, 2, 3], '400'), commissions, reverse(0), day],
      '2026-05-04: 1 misses binary 40, inactive',
    ],
    'takes the points of a reversal away, on the very day it was invested': [
      [...investEach([1, 2, 2, 3], '400'), commissions, reverse(2), reverse(3), day],
    ],
    'lets a side go below zero by a reversal, which new points must first make up for': [
      days(
        [...investEach([1, 2, 3], '400'), commissions],
        [reverse(1), invest(3, '100')],
        [invest(2, '500')],
      ),
      '2026-05-04: 1 gets binary 40 on 400',
      '2026-05-06: 1 gets binary 10 on 100',
    ],
    'uses points up even where they earn less than a micro-USDT': [
      days([invest(1, '100'), ...investEach([2, 3], '0.000009')], investEach([2, 3], '0.000001')),
    ],
    'of a day follows the plan that was in force when that day began': [
      days([...investEach([1, 2, 3], '400'), newPlan(twentyPercent)], investEach([2, 3], '100')),
      '2026-05-04: 1 gets binary 40 on 400',
      '2026-05-05: 1 gets binary 20 on 100',
    ],
  }
  itComesTo(cases, tree, (account) => linesOf(account, 'binary'))

  it('leaves the unmatched points of each side standing, the negative ones too', () => {
    const steps = [...investEach([1, 2, 3], '400'), commissions, day, reverse(1), invest(5, '100'), day]
    expect(accountOf(steps, tree).totals[0]).toMatchObject({
      carryLeft: -millionths('400'),
      carryRight: millionths('100'),
    })
  })
})
