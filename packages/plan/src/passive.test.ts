import { type Micro, micro, parseMicro, percent, ratio } from '@aval/money'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  cutByCap,
  type Day,
  DEFAULT_PLAN,
  exceedsPlan,
  isDay,
  parsePlan,
  passiveProfit,
  passiveShare,
  termsOfDay,
} from './index.ts'

const usdt = (text: string): Micro => parseMicro(text) ?? micro(-1n)
const planWith = (passive: object) =>
  parsePlan({ ...DEFAULT_PLAN, passive: { ...DEFAULT_PLAN.passive, ...passive } })
const day = (text: string): Day => {
  if (!isDay(text)) throw new Error(`${text} is no day`)
  return text
}
const FRIDAY = day('2026-11-20')
const SATURDAY = addDays(FRIDAY, 1)
const SUNDAY = addDays(FRIDAY, 2)
const MONDAY = addDays(FRIDAY, 3)
const weekdays = planWith({ weekdaysOnly: true })

describe('the terms of a day', () => {
  it.each([
    ['a Friday', weekdays, FRIDAY, null, 'plan', ratio(10n, 3_000n)],
    ['a Saturday', weekdays, SATURDAY, null, 'weekend', ratio(0n, 1n)],
    ['a Sunday with a declared rate', weekdays, SUNDAY, '0.2', 'weekend', ratio(0n, 1n)],
    ['a Monday', weekdays, MONDAY, null, 'plan', ratio(10n, 3_000n)],
    ['a Saturday where all days pay', planWith({}), SATURDAY, null, 'plan', ratio(10n, 3_000n)],
    ['a day with a declared rate', planWith({}), MONDAY, '0.2', 'declared', percent('0.2')],
  ])('%s', (_name, plan, of, declared, source, rate) => {
    expect(termsOfDay(plan, of, declared)).toEqual({ rate, source, capMultiple: null })
  })

  it.each([MONDAY, SATURDAY])('on %s have the cap as a multiple of principal', (of) => {
    const plan = planWith({ weekdaysOnly: true, capMultiple: '2.5' })
    for (const declared of [null, '0.1'])
      expect(termsOfDay(plan, of, declared).capMultiple).toEqual(ratio(2_500n, 1_000n))
  })
})

it.each([
  ['the plan’s own rate', ratio(1n, 300n), false],
  ['a little less', ratio(1n, 301n), false],
  ['a little more', ratio(1n, 299n), true],
  ['a percentage where a share was meant', ratio(33n, 100n), true],
])('%s exceeds the plan: %s', (_name, rate, expected) => {
  expect(exceedsPlan(planWith({}), rate)).toBe(expected)
})

describe('passive profit under a cap of twice the principal', () => {
  const terms = { rate: ratio(1n, 100n), source: 'plan', capMultiple: ratio(2n, 1n) } as const
  const principal = micro(1_000n)

  it.each([
    ['is whole while there is room', 1_980n, 10n, 0n],
    ['is whole where it just fits', 1_990n, 10n, 0n],
    ['is cut where it does not', 1_993n, 7n, 3n],
    ['ends at the cap', 2_000n, 0n, 0n],
    ['stays ended above it', 2_001n, 0n, 0n],
  ])('%s', (_name, earned, expected, cut) => {
    const paid = passiveProfit(terms, principal, micro(earned))
    expect(paid).toBe(expected)
    expect(cutByCap(terms, principal, paid)).toBe(cut)
  })

  it('never ends where there is no cap', () => {
    expect(passiveProfit({ ...terms, capMultiple: null }, principal, micro(9_999n))).toBe(10n)
  })
})

/** A day that paid a tenth of a percent on a basis. */
const paidDay = (basis: string, reversedBefore = '0') => ({
  terms: { rate: ratio(1n, 1000n), source: 'plan', capMultiple: null } as const,
  basis: usdt(basis),
  earnedBefore: micro(0n),
  paid: micro(usdt(basis) / 1000n),
  reversedBefore: usdt(reversedBefore),
})

describe('what a day paid on an investment', () => {
  it('is the part that rested on it', () => {
    expect(passiveShare(paidDay('1500'), usdt('1000'))).toBe(usdt('1'))
    expect(passiveShare(paidDay('1500', '1000'), usdt('500'))).toBe(usdt('0.5'))
  })

  it('is all of it, and no more, where part of the basis was held for a withdrawal that day', () => {
    // Of 1,000 and 500 invested, 900 were held.
    expect(passiveShare(paidDay('600'), usdt('1000'))).toBe(usdt('0.6'))
    expect(passiveShare(paidDay('600', '1000'), usdt('500'))).toBe(0n)
  })
})
