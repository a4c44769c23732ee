import { expect, it } from 'vitest'
import { backoffMs } from './polling.ts'

it.each([
  [1, 400],
  [2, 800],
  [3, 1_600],
  [4, 2_000],
  [1_000_000, 2_000],
])('after %i failures the pause is %i ms', (failures, expected) => {
  expect(backoffMs(failures, 400, 2_000)).toBe(expected)
})
