import { describe, expect, it } from 'vitest'
import { LIMITS } from '../core/limits.ts'
import { Refusal } from '../core/refusal.ts'
import { createReadLimit } from './reads.ts'

/** How many of these reads are answered. */
function answered(read: (memberId: bigint, now: number) => void, times: number, now: number, memberId = 1n) {
  let count = 0
  for (let time = 0; time < times; time += 1)
    try {
      read(memberId, now)
      count += 1
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
    }
  return count
}

describe('reads of a member', () => {
  it('are 120 at once, then ten a second, and never more than 120 at once', () => {
    const read = createReadLimit(LIMITS.public.reads)
    expect(answered(read, 300, 0)).toBe(120)
    expect(answered(read, 300, 1000)).toBe(10)
    expect(answered(read, 300, 1500)).toBe(5)
    expect(answered(read, 300, 3_600_000)).toBe(120)
  })

  it('are counted for each member alone', () => {
    const read = createReadLimit(LIMITS.public.reads)
    answered(read, 300, 0)
    expect(answered(read, 1, 0, 2n)).toBe(1)
  })

  it('say when to come back', () => {
    const read = createReadLimit({ points: 2, seconds: 10 })
    answered(read, 2, 0)
    expect(() => read(1n, 0)).toThrow(expect.objectContaining({ params: { seconds: 5 } }))
  })

  it('go on where they were, however many members read', () => {
    const read = createReadLimit({ points: 2, seconds: 1 })
    for (let memberId = 0n; memberId < 30_000n; memberId += 1n) read(memberId, Number(memberId))
    expect(answered(read, 3, 30_000, 29_999n)).toBe(1)
    expect(answered(read, 3, 30_000, 0n)).toBe(2)
  })
})
