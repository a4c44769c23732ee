import { expect, it } from 'vitest'
import { restartPause } from './database.ts'

it('a database that dies again and again is started as long as it takes, after pauses that grow to ten seconds', () => {
  const pauses = Array.from({ length: 1_000 }, (_, failures) => restartPause(failures + 1))
  expect(pauses.slice(0, 7)).toEqual([0, 500, 1_000, 2_000, 5_000, 10_000, 10_000])
  expect(Math.max(...pauses)).toBe(10_000)
})
