import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { readAhead } from './read-ahead.ts'

it('gives results in order, however late each comes, with a bounded number under way', async () => {
  let running = 0
  let most = 0
  const read = async (number: number) => {
    running += 1
    most = Math.max(most, running)
    await sleep((number * 7) % 5)
    running -= 1
    return number
  }
  const given: number[] = []
  for await (const number of readAhead(10, 60, 8, read)) given.push(number)
  expect(given).toEqual(Array.from({ length: 51 }, (_, index) => index + 10))
  expect(most).toBe(8)
})

it('reads nothing where there is nothing', async () => {
  const given: number[] = []
  for await (const number of readAhead(5, 4, 8, async (each) => each)) given.push(number)
  expect(given).toEqual([])
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
