import { describe, expect, it } from 'vitest'
import { chartTop } from './chartScale.ts'

describe('chartTop', () => {
  it.each([
    [[], 1],
    [[0, 0], 1],
    [[33.33], 40],
    [[0.4, 0.21], 0.4],
    [[1000], 1000],
    [[1001], 2000],
    [[9_999_999.99], 10_000_000],
  ])('stands above %j at %d', (values, top) => {
    expect(chartTop(values)).toBeCloseTo(top, 9)
  })
})
