import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { DEFAULT_PLAN, forgone, matchable, matchLegs, parsePlan, unqualified } from './index.ts'

const plan = { ...parsePlan(DEFAULT_PLAN), binary: { percent: '10', dailyCap: micro(100n) } }
const standing = { principal: micro(1_000n), activeLeft: true, activeRight: true }

describe('what can be matched', () => {
  it.each([
    [300n, 200n, 200n],
    [200n, 300n, 200n],
    [200n, 200n, 200n],
    [300n, 0n, 0n],
    [-5n, 300n, 0n],
  ])('of %s and %s points is %s', (left, right, expected) => {
    expect(matchable({ left, right })).toBe(expected)
  })
})

describe('a member earns no binary', () => {
  it.each([
    ['without principal', { principal: micro(0n) }, 'inactive'],
    ['below zero', { principal: micro(-1n) }, 'inactive'],
    ['with no active referral', { activeLeft: false, activeRight: false }, 'no_active_referrals'],
    ['with none on the left', { activeLeft: false }, 'no_active_left'],
    ['with none on the right', { activeRight: false }, 'no_active_right'],
    ['unless all of it is there', { principal: micro(1n) }, null],
  ])('%s', (_name, change, expected) => {
    expect(unqualified({ ...standing, ...change })).toBe(expected)
  })
})

describe('a match', () => {
  it.each([
    // 10 % of the weaker leg; the cap is 100 micro a day, the principal 1,000.
    ['pays the weaker leg and carries the rest', {}, 900n, 400n, [400n, 40n, 0n, 500n, 0n]],
    ['flushes what is above the cap of a day', {}, 1_500n, 2_000n, [1_500n, 100n, 50n, 0n, 500n]],
    ['pays at most the principal', { principal: micro(30n) }, 900n, 400n, [400n, 30n, 10n, 500n, 0n]],
    ['of one empty leg pays nothing', {}, 0n, 400n, [0n, 0n, 0n, 0n, 400n]],
    ['of a member who is not qualified carries all', { activeLeft: false }, 9n, 4n, [0n, 0n, 0n, 9n, 4n]],
    ['without principal flushes nothing', { principal: micro(-7n) }, 900n, 400n, [0n, 0n, 0n, 900n, 400n]],
  ])('%s', (_name, change, left, right, [matched, paid, flushed, carryLeft, carryRight]) => {
    expect(matchLegs(plan, { ...standing, ...change, left, right })).toEqual({
      matched,
      paid,
      flushed,
      carryLeft,
      carryRight,
    })
  })

  it.each([
    [400n, 40n],
    [5_000n, 100n],
    [0n, 0n],
  ])('that was forgone with %s points on both legs is %s, whatever the principal', (points, expected) => {
    const legs = { left: points, right: points, principal: micro(0n), activeLeft: false, activeRight: false }
    expect(forgone(plan, legs)).toBe(expected)
  })
})
