import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readAhead } from './read-ahead.ts'

async function allOf(results: AsyncIterable<number>): Promise<number[]> {
  const given: number[] = []
  for await (const result of results) given.push(result)
  return given
}

it('gives results in order, however late each comes, with a bounded number under way', async () => {
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
    const given = await scheduler.waitFor(allOf(readAhead(10, 40, 8, read)))
    expect(given).toEqual(Array.from({ length: 31 }, (_, index) => index + 10))
    expect(most).toBe(8)
  })
  await fc.assert(order, { numRuns: 50 })
})

it('reads nothing where there is nothing', async () => {
  expect(await allOf(readAhead(5, 4, 8, async (each) => each))).toEqual([])
})

it('gives what lies before a failure, then the failure, whatever fails behind it', async () => {
  const read = async (number: number) => {
    if (number >= 3) throw new Error(`no ${number}`)
    return number
  }
  const given: number[] = []
  const taking = async () => {
    for await (const number of readAhead(1, 9, 8, read)) given.push(number)
  }
  await expect(taking()).rejects.toThrow('no 3')
  expect(given).toEqual([1, 2])
})

it('asks for no more once nobody takes', async () => {
  const asked: number[] = []
  for await (const number of readAhead(1, 1_000, 4, async (each) => asked.push(each))) if (number === 3) break
  expect(asked.length).toBeLessThan(10)
})
