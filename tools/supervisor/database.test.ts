import { expect, it } from 'vitest'
import { restartsAfter } from './database.ts'

it('a database that dies at once again and again is given up after five restarts', () => {
  let left = 5
  let started = 0
  while (left >= 0 && started < 100) {
    left = restartsAfter(left, 2_000)
    if (left >= 0) started += 1
  }
  expect(started).toBe(5)
})

it('one that had been well for a minute has all of them again', () => {
  expect(restartsAfter(0, 60_000)).toBe(4)
  expect(restartsAfter(0, 59_999)).toBe(-1)
})
