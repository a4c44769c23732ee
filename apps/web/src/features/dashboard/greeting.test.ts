import { describe, expect, it } from 'vitest'
import { greetingAt } from './greeting.ts'

describe('greetingAt', () => {
  it.each([
    [0, 'morning'],
    [11, 'morning'],
    [12, 'afternoon'],
    [17, 'afternoon'],
    [18, 'night'],
    [23, 'night'],
  ])('at %i says %s', (hour, greeting) => {
    expect(greetingAt(hour)).toBe(greeting)
  })
})
