import { describe, expect, it } from 'vitest'
import { countdownText } from './countdown.ts'

describe('countdownText', () => {
  it.each([
    [7_147_000, '1:59:07'],
    [249_999, '4:09'],
    [999, '0:00'],
    [-5, '0:00'],
  ])('writes %i ms as %s', (left, text) => {
    expect(countdownText(left)).toBe(text)
  })
})
