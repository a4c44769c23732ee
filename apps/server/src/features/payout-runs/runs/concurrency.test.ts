import { afterEach, expect, it, vi } from 'vitest'
import { withPermit, yieldToReader } from './concurrency.ts'

afterEach(() => vi.useRealTimers())

/** Three pieces of work that end when told; which have begun. */
function pieces() {
  const begun: number[] = []
  const ends = [0, 1, 2].map((number) => {
    const gate = Promise.withResolvers<void>()
    const done = withPermit(() => {
      begun.push(number)
      return gate.promise
    })
    return () => {
      gate.resolve()
      return done
    }
  })
  return { begun, ends }
}

it('payout work has two permits, one while members read, and two again a quarter of a second later', async () => {
  vi.useFakeTimers()
  const { begun, ends } = pieces()
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual([0, 1])
  yieldToReader()
  void ends[0]?.()
  await vi.advanceTimersByTimeAsync(200)
  yieldToReader()
  await vi.advanceTimersByTimeAsync(200)
  expect(begun).toEqual([0, 1])
  await vi.advanceTimersByTimeAsync(50)
  expect(begun).toEqual([0, 1, 2])
  await Promise.all(ends.map((end) => end()))
})

it('payout work goes on with its one permit however long members read', async () => {
  vi.useFakeTimers()
  yieldToReader()
  const { begun, ends } = pieces()
  for (const [at, end] of ends.entries()) {
    await vi.advanceTimersByTimeAsync(0)
    expect(begun).toEqual([0, 1, 2].slice(0, at + 1))
    yieldToReader()
    void end()
  }
  await vi.runAllTimersAsync()
})

it('payout work rests three times as long as it took while members read', async () => {
  vi.useFakeTimers()
  yieldToReader()
  const reading = setInterval(yieldToReader, 50)
  const { begun, ends } = pieces()
  await vi.advanceTimersByTimeAsync(100)
  void ends[0]?.()
  await vi.advanceTimersByTimeAsync(299)
  expect(begun).toEqual([0])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual([0, 1])
  clearInterval(reading)
  for (const end of ends) void end()
  await vi.runAllTimersAsync()
})
