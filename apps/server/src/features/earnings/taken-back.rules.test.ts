import { micro } from '@aval/money'
import { type Day, DEFAULT_PLAN, parsePlan, termsOfDay } from '@aval/plan'
import { expect, it } from 'vitest'
import { type OwnReversal, sumTakenBack, takenBackOf } from './taken-back.rules.ts'

const CUTOFF = new Date('2026-05-04T05:00:00Z')
const hours = (count: number) => new Date(CUTOFF.getTime() + count * 3_600_000)
const reversal = (invested: bigint, from: number, to: number): OwnReversal => ({
  at: hours(to),
  invested,
  invested_at: hours(from),
  profit: 0n,
})
/** A day on 3,000: a third of a percent of it is 10. */
const day = {
  terms: termsOfDay(parsePlan(DEFAULT_PLAN), '2026-05-04' as Day, null),
  basis: micro(3_000_000_000n),
  earnedBefore: micro(0n),
  paid: micro(10_000_000n),
}
const amounts = (...reversals: OwnReversal[]) =>
  takenBackOf(day, CUTOFF, reversals).map(({ amount }) => amount)

it.each([
  ['of all that was invested: all', [reversal(3_000_000_000n, -1, 1)], [10_000_000n]],
  ['of a part: as much less as without it', [reversal(300_000_000n, -1, 1)], [1_000_000n]],
  [
    'one after the other',
    [reversal(300_000_000n, -2, 1), reversal(2_700_000_000n, -1, 2)],
    [1_000_000n, 9_000_000n],
  ],
  ['made at the beginning of the day, which was not paid on it: nothing', [reversal(300_000_000n, 0, 1)], []],
  ['over before the day: nothing', [reversal(300_000_000n, -2, -1)], []],
  ['at its first instant, which still had it: its part', [reversal(300_000_000n, -2, 0)], [1_000_000n]],
])('a reversal %s', (_, reversals, taken) => {
  expect(amounts(...reversals)).toEqual(taken)
})

it('what was taken back of a day is the sum of it', () => {
  const taken = takenBackOf(day, CUTOFF, [reversal(300_000_000n, -2, 1), reversal(300_000_000n, -1, 2)])
  expect(sumTakenBack(taken)).toBe(2_000_000n)
})
