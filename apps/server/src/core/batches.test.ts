import { describe, expect, it } from 'vitest'
import { inBatches } from './batches.ts'

describe('work in batches', () => {
  const heap = (left: number) => {
    const sizes: number[] = []
    const work = async (most: number) => {
      const taken = Math.min(left, most)
      left -= taken
      sizes.push(taken)
      return taken
    }
    return { work, sizes }
  }

  it.each([
    [0, [0]],
    [999, [999]],
    [2500, [1000, 1000, 500]],
    [1000, [1000, 0]],
  ])('of %i things takes %j', async (count, batches) => {
    const { work, sizes } = heap(count)
    expect(await inBatches(work)).toBe(count)
    expect(sizes).toEqual(batches)
  })

  it('comes to an end, whatever is left', async () => {
    const { work } = heap(Number.POSITIVE_INFINITY)
    expect(await inBatches(work)).toBe(500_000)
  })
})
