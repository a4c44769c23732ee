import { describe, expect, it } from 'vitest'
import { hasBinary, shareOfStronger } from './binary.ts'

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
