import { describe, expect, it } from 'vitest'
import { drawnParts, FIRST_YEAR, hasBinary, shareOfStronger, sumsOf, yearFrom } from './earnings.ts'

const month = (passive: string, direct: string, binary: string, amount: string) => ({
  month: 1,
  summed_percentage: '10',
  passive,
  direct,
  binary,
  amount,
})

describe('yearFrom', () => {
  it.each([null, '', '0', 'x', '2026.5', '-2026', '02026', '1999', '2027', '9999'])(
    'takes %j for the current year',
    (text) => {
      expect(yearFrom(text, 2026)).toBe(2026)
    },
  )

  it('takes a year from the first to the current', () => {
    expect(yearFrom(String(FIRST_YEAR), 2026)).toBe(FIRST_YEAR)
    expect(yearFrom('2025', 2026)).toBe(2025)
    expect(yearFrom('2026', 2026)).toBe(2026)
  })
})

describe('sumsOf', () => {
  it('adds up to the micro, where doubles would not', () => {
    const months = [month('0.10', '0.00', '0.00', '0.10'), month('0.20', '0.000001', '0.00', '0.200001')]
    expect(sumsOf(months)).toEqual({
      passive: '0.30',
      direct: '0.000001',
      binary: '0.00',
      amount: '0.300001',
    })
  })

  it('takes off what was taken back', () => {
    expect(sumsOf([month('5.00', '-2.00', '0.00', '3.00')])).toMatchObject({
      direct: '-2.00',
      amount: '3.00',
    })
  })

  it('is nothing for no months', () => {
    expect(sumsOf([])).toEqual({ passive: '0.00', direct: '0.00', binary: '0.00', amount: '0.00' })
  })
})

describe('drawnParts', () => {
  it('are drawn from the bottom up, nothing below it', () => {
    expect(drawnParts(month('100.50', '-3.00', '0.25', '97.75'))).toEqual([100.5, 0, 0.25])
  })
})

describe('shareOfStronger', () => {
  it.each([
    ['50.00', '200.00', 25],
    ['200.00', '50.00', 100],
    ['10.00', '10.00', 100],
    ['0.00', '0.00', 0],
    ['0.00', '5.00', 0],
    ['-5.00', '5.00', 0],
    ['5.00', '-5.00', 100],
    ['3333.333333', '9999999.99', 0],
    ['1.00', '3.00', 33.3],
  ])('%s beside %s is drawn at %d percent', (points, other, share) => {
    expect(shareOfStronger(points, other)).toBe(share)
  })
})

describe('hasBinary', () => {
  const nothing = {
    as_of: null,
    left_points: '0.00',
    right_points: '0.00',
    qualified: false,
    lacking: [],
    percentage: '10',
    daily_cap: '1000.00',
  }

  it('does not before anything happened', () => {
    expect(hasBinary(nothing)).toBe(false)
  })

  it.each([{ as_of: '2026-11-20' }, { left_points: '0.000001' }, { right_points: '-5.00' }])(
    'does with %j',
    (change) => {
      expect(hasBinary({ ...nothing, ...change })).toBe(true)
    },
  )
})
