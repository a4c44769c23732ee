import { describe, expect, it } from 'vitest'
import {
  missingOf,
  percentOfRate,
  progressOf,
  releasedBy,
  type StoredChecks,
  type StoredProgress,
  waitingFor,
} from './payout-runs.rules.ts'

const checks = (overrides: Partial<StoredChecks> = {}): StoredChecks => ({
  state: 'held',
  objections: [],
  overruled: false,
  audit: { verdict: 'matches', at: '', version: '1', reason: null, differences: [] },
  missing: 0n,
  item_sum: 7_000_000n,
  ...overrides,
})
const EVERY = [
  { check: 'rate_above_plan', rate: '0.5' },
  { check: 'change_too_large', now: '7000000', before: '1' },
  { check: 'direct_rate_changed', now: '0', before: '5' },
  { check: 'member_above_cap', largest: '5000000', limit: '4' },
  { check: 'run_above_cap', limit: '6000000' },
]

describe('what a run waits for', () => {
  it.each([
    [null, 'not_computed_twice'],
    [{ verdict: 'unable', at: '', version: '1', reason: 'plan 2: bonus', differences: [] }, 'not_computable'],
  ])('is its second computation first', (audit, check) => {
    const waiting = waitingFor(checks({ state: 'sealed', audit }))
    expect(waiting.map((each) => each.check)).toEqual([check])
  })

  it('is every objection, with what its sentence mentions, and the money', () => {
    expect(waitingFor(checks({ objections: EVERY, missing: 3n }))).toMatchObject([
      { check: 'rate_above_plan', params: { rate: { decimal: '0.5' } } },
      { check: 'change_too_large', params: { now: 7_000_000n, before: 1n } },
      { check: 'direct_rate_changed', params: { now: { decimal: '0' }, before: { decimal: '5' } } },
      { check: 'member_above_cap', params: { largest: 5_000_000n, limit: 4n } },
      { check: 'run_above_cap', params: { sum: 7_000_000n, limit: 6_000_000n } },
      { check: 'pool_short', params: { missing: 3n } },
    ])
  })

  it('is the money alone once somebody overruled the objections', () => {
    const waiting = waitingFor(checks({ objections: EVERY, missing: 3n, overruled: true }))
    expect(waiting.map(({ check }) => check)).toEqual(['pool_short'])
  })

  it.each(['computing', 'released', 'posting', 'done', 'cancelled'])('is nothing while it is %s', (state) => {
    const run = checks({ state, objections: EVERY, missing: 3n })
    expect(waitingFor(run)).toEqual([])
    expect(missingOf(run)).toBe(0n)
  })

  it('is nothing that nobody could have written down', () => {
    expect(() => waitingFor(checks({ objections: [{ check: 'mood' }] }))).toThrow()
    expect(() => waitingFor(checks({ objections: [{ check: 'run_above_cap', limit: '1e9' }] }))).toThrow()
  })
})

describe('how far a run is', () => {
  const at = (overrides: Partial<StoredProgress>): StoredProgress => ({
    state: 'posting',
    item_count: 1000,
    posted_count: 400,
    computed_count: 30,
    member_count: 90,
    seconds: 8,
    ...overrides,
  })
  it.each<[Partial<StoredProgress>, number, number, number]>([
    [{}, 400, 1000, 50],
    [{ state: 'released', posted_count: 0 }, 0, 1000, 0],
    [{ state: 'computing' }, 30, 90, 3],
    [{ state: 'computing', computed_count: 0, member_count: 0 }, 0, 0, 0],
    [{ seconds: 0.9 }, 400, 1000, 0],
    [{ seconds: -5 }, 400, 1000, 0],
    [{ state: 'done', posted_count: 1000 }, 1000, 1000, 0],
    [{ state: 'held', posted_count: 0 }, 1000, 1000, 0],
    [{ state: 'cancelled', posted_count: 0 }, 1000, 1000, 0],
  ])('%o is %i of %i, %i a second', (stored, done, total, perSecond) => {
    expect(progressOf(at(stored))).toEqual({ done, total, per_second: perSecond })
  })
})

it.each([
  ['10/3000', '0.333333'],
  ['0/1', '0'],
  ['1/400', '0.25'],
  [null, null],
  ['', null],
  ['1/0', null],
  ['7.5/30', null],
])('a stored rate of %s is %s percent', (stored, percentage) => {
  expect(percentOfRate(stored)).toBe(percentage)
})

it('an operator who cancels a run has not released it', () => {
  expect(releasedBy({ state: 'held', decided_by: 'olga' })).toBe('olga')
  expect(releasedBy({ state: 'done', decided_by: null })).toBeNull()
  expect(releasedBy({ state: 'cancelled', decided_by: 'olga' })).toBeNull()
})
