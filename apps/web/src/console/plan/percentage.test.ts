import { percent, ratio } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { isAbove, plainPercent, trimmedDecimal } from './planFields.ts'

describe('a typed percentage', () => {
  it.each([
    ['0.25', '0.25'],
    ['0,25', '0.25'],
    [' .25 %', '0.25'],
    ['00.5', '0.5'],
    ['0', '0'],
    ['100', '100'],
    ['1,234', '1.234'],
    ['0.333333', '0.333333'],
  ])('%s is %s', (typed, plain) => {
    expect(plainPercent(typed)).toBe(plain)
  })

  it.each(['', '%', '-1', '1.2.3', '1,2,3', '1e2', '0.1234567', '1000', 'a', '5.'])('%j is none', (typed) => {
    expect(plainPercent(typed)).toBeNull()
  })
})

describe('percentages', () => {
  it('are compared exactly', () => {
    const third = ratio(10n, 100n * 30n)
    expect(isAbove(percent('0.333333'), third)).toBe(false)
    expect(isAbove(percent('0.333334'), third)).toBe(true)
    expect(isAbove(percent('10'), percent('10'))).toBe(false)
  })

  it('are the same with and without zeros that say nothing', () => {
    expect(['10.00', '10', '010.0'].map(trimmedDecimal)).toEqual(['10', '10', '10'])
    expect(trimmedDecimal('0.50')).toBe('0.5')
  })
})
