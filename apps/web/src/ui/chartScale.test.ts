import { describe, expect, it } from 'vitest'
import { chartTop, stackHeights } from './chartScale.ts'

describe('chartTop', () => {
  it.each([
    [[], 1],
    [[0, 0], 1],
    [[33.33], 40],
    [[0.4, 0.21], 0.4],
    [[1000], 1000],
    [[1001], 1200],
    [[1136], 1200],
    [[1601], 2000],
    [[9_999_999.99], 10_000_000],
  ])('stands above %j at %d', (values, top) => {
    expect(chartTop(values)).toBeCloseTo(top, 9)
  })
})

describe('stackHeights', () => {
  const scale = { top: 100, height: 200, least: 2 }

  it.each([
    { values: [50, 25, 25], heights: [100, 50, 50] },
    { values: [0, 10, 0], heights: [0, 20, 0] },
    { values: [], heights: [] },
    { values: [0, 0, 0], heights: [0, 0, 0] },
  ])('draws $values as $heights pixels', ({ values, heights }) => {
    expect(stackHeights(values, scale)).toEqual(heights)
  })

  it('shows a cent beside a thousand', () => {
    expect(stackHeights([90, 0.000001, 0.01], scale)).toEqual([180, 2, 2])
  })

  it('never rises above its height, whatever the small parts were given', () => {
    expect(stackHeights([100, 0.000001, 0.000001], scale)).toEqual([196, 2, 2])
  })

  it('draws nothing for what was taken back', () => {
    expect(stackHeights([-40, 50, 0], scale)).toEqual([0, 100, 0])
  })
})
