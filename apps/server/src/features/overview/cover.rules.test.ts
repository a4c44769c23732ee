import type { Day } from '@aval/plan'
import { describe, expect, it } from 'vitest'
import { coverOf, rateOf } from './cover.rules.ts'

const TODAY = '2026-05-20' as Day
const paid = (day: string, amount: bigint, kind = 'passive') => ({ day, kind, amount })

describe('the rate at which a pool pays', () => {
  it('is the average of the last seven days on which it paid, rounded up', () => {
    const days = [10n, 20n, 30n, 40n, 50n, 60n, 71n, 9000n].map((amount, at) =>
      paid(`2026-05-${19 - at}`, amount),
    )
    expect(rateOf('profit', days, TODAY)).toBe(41n)
  })
  it('leaves out today, which is not over, and days on which nothing was paid', () => {
    const days = [paid('2026-05-20', 999n), paid('2026-05-18', 10n), paid('2026-04-02', 30n)]
    expect(rateOf('profit', days, TODAY)).toBe(20n)
  })
  it('adds up what a pool pays by kind, and leaves the rest to the other pool', () => {
    const days = [
      paid('2026-05-19', 5n, 'direct'),
      paid('2026-05-19', 7n, 'binary'),
      paid('2026-05-19', 100n),
      paid('2026-05-19', 1n, 'master'),
    ]
    expect(rateOf('commission', days, TODAY)).toBe(13n)
    expect(rateOf('profit', days, TODAY)).toBe(100n)
  })
  it('is zero where a pool never paid', () => {
    expect(rateOf('profit', [paid('2026-05-19', 5n, 'fund_profit')], TODAY)).toBe(0n)
  })
})

describe('the days that a pool covers', () => {
  it.each([
    // amount, awaiting, rate: days, whether it is low
    [700n, 0n, 100n, 7n, false],
    [699n, 0n, 100n, 6n, true],
    [99n, 0n, 100n, 0n, true],
    [0n, 0n, 100n, 0n, true],
    // A run that waits for a person alone makes no pool low that covers it, and is paid out of it first.
    [100_000n, 1n, 100n, 999n, false],
    [1_000n, 400n, 100n, 6n, true],
    [1_000n, 1_001n, 100n, 0n, true],
    [10n ** 15n, 0n, 1n, 36_500n, false],
  ])('%s with %s awaiting at %s a day: %s days', (amount, awaiting, rate, days, low) => {
    expect(coverOf(amount, awaiting, rate)).toEqual({ rate, days, low })
  })
  it('cannot be said where nothing was paid; one that does not cover what waits is low all the same', () => {
    expect(coverOf(0n, 0n, 0n)).toEqual({ rate: 0n, days: null, low: false })
    expect(coverOf(4n, 5n, 0n).low).toBe(true)
    expect(coverOf(5n, 5n, 0n).low).toBe(false)
  })
})
