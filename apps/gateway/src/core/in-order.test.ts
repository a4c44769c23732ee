import fc from 'fast-check'
import { expect, it } from 'vitest'
import { mapInOrder, range } from './in-order.ts'

async function allOf(results: AsyncIterable<number>): Promise<number[]> {
  const given: number[] = []
  for await (const result of results) given.push(result)
  return given
}

it('yields results in order, however late each comes, with at most eight in flight', async () => {
  const order = fc.asyncProperty(fc.scheduler(), async (scheduler) => {
    let running = 0
    let most = 0
    const answer = scheduler.scheduleFunction(async (number: number) => number)
    const read = async (number: number) => {
      running += 1
      most = Math.max(most, running)
      const answered = await answer(number)
      running -= 1
      return answered
    }
    const given = await scheduler.waitFor(allOf(mapInOrder(range(10, 40), 8, read)))
    expect(given).toEqual(Array.from({ length: 31 }, (_, index) => index + 10))
    expect(most).toBe(8)
  })
  await fc.assert(order, { numRuns: 50 })
})

it('yields nothing for no items', async () => {
  expect(await allOf(mapInOrder(range(5, 4), 8, async (each) => each))).toEqual([])
})

it('yields what precedes a failure, then throws it, whatever fails behind it', async () => {
  const read = async (number: number) => {
    if (number >= 3) throw new Error(`no ${number}`)
    return number
  }
  const given: number[] = []
  const taking = async () => {
    for await (const number of mapInOrder(range(1, 9), 8, read)) given.push(number)
  }
  await expect(taking()).rejects.toThrow('no 3')
  expect(given).toEqual([1, 2])
})

it('starts no further work once the iteration stops', async () => {
  const asked: number[] = []
  const asking = mapInOrder(range(1, 1_000), 4, async (each) => asked.push(each))
  for await (const number of asking) if (number === 3) break
  expect(asked.length).toBeLessThan(10)
})
