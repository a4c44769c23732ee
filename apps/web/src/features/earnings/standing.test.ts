import { describe, expect, it } from 'vitest'
import { shareOfStronger } from './standing.ts'

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
