import { describe, expect, it } from 'vitest'
import { isSome, microOf, plainAmount } from './amount.ts'

describe('plainAmount', () => {
  it.each([
    ['1000', '1000'],
    [' 1 000 ', '1000'],
    ['1 000,50', '1000.50'],
    ['$1,000.50', '1000.50'],
    ['1.000,50', '1000.50'],
    ['1.234.567,89', '1234567.89'],
    ['1,234,567.89', '1234567.89'],
    ['1,234,567', '1234567'],
    ['500.00 USD', '500.00'],
    ['0.000001', '0.000001'],
    ['0,5', '0.5'],
    ['.5', '0.5'],
    ['007', '7'],
    ['10.', '10'],
    ['3.333333', '3.333333'],
  ])('reads %j as %j in both languages', (typed, plain) => {
    expect(plainAmount(typed, 'es')).toBe(plain)
    expect(plainAmount(typed, 'en')).toBe(plain)
  })

  it('reads one separator before three digits by the language', () => {
    expect(plainAmount('1.000', 'es')).toBe('1000')
    expect(plainAmount('1.000', 'en')).toBe('1.000')
    expect(plainAmount('1,000', 'es')).toBe('1000')
    expect(plainAmount('1,000', 'en')).toBe('1000')
    expect(plainAmount('0.333', 'es')).toBe('0.333')
  })

  it.each(['', ' ', 'abc', '1e3', '-5', '+5', 'NaN', '1.2.3', '1,00,0', '12,34.5', '1.000,50,1', ',', '.'])(
    'refuses %j',
    (typed) => {
      expect(plainAmount(typed, 'es')).toBeNull()
      expect(plainAmount(typed, 'en')).toBeNull()
    },
  )
})

describe('isSome', () => {
  it.each(['0.000001', '10.00', '-1.00'])('holds for %s', (amount) => {
    expect(isSome(amount)).toBe(true)
  })

  it.each(['0.00', '-0.00', '0.000000'])('does not for %s', (amount) => {
    expect(isSome(amount)).toBe(false)
  })
})

describe('microOf', () => {
  it.each([
    ['50.00', 50_000_000n],
    ['0.000001', 1n],
    ['-3.333333', -3_333_333n],
    ['junk', 0n],
  ])('reads %s', (amount, size) => {
    expect(microOf(amount)).toBe(size)
  })
})
