import { describe, expect, it } from 'vitest'
import { fieldAmount, isSome, microOf, plainAmount, readAmount } from './amount.ts'

describe('plainAmount', () => {
  it.each([
    ['1000', '1000'],
    [' 1000 ', '1000'],
    ['1 000', '1000'],
    ['1 000,50', '1000.50'],
    ['1 000.50', '1000.50'],
    ['1 000,500', '1000.500'],
    ["1'000.50", '1000.50'],
    ['1\u00a0000,50', '1000.50'],
    ['1\u202f000\u202f000,5', '1000000.5'],
    ['1\u2009000', '1000'],
    ['\u202a1\u200b000\u00a0', '1000'],
    ['１０００', '1000'],
    ['۱۰۰۰', '1000'],
    ['$1,000.50', '1000.50'],
    ['$ 1,000.50', '1000.50'],
    ['US$ 1.000,50', '1000.50'],
    ['USD 1000', '1000'],
    ['1.000,50', '1000.50'],
    ['1.000,50 USDT', '1000.50'],
    ['1.000,5', '1000.5'],
    ['1,000.500', '1000.500'],
    ['1.234.567,89', '1234567.89'],
    ['1,234,567.89', '1234567.89'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['9,999,999.99', '9999999.99'],
    ['500.00 USD', '500.00'],
    ['0.000001', '0.000001'],
    ['0,5', '0.5'],
    ['0.333', '0.333'],
    ['0,333', '0.333'],
    ['1000.500', '1000.500'],
    ['1000,500', '1000.500'],
    ['.5', '0.5'],
    ['007', '7'],
    ['10.', '10'],
    ['10,', '10'],
    ['3.333333', '3.333333'],
    ['12,34', '12.34'],
  ])('reads %j as %j in either region', (typed, plain) => {
    expect(plainAmount(typed, 'es-CO')).toBe(plain)
    expect(plainAmount(typed, 'en-US')).toBe(plain)
  })

  it('reads the comma before three digits as a thousand where decimals begin with a point', () => {
    expect(plainAmount('1,000', 'en-US')).toBe('1000')
    expect(plainAmount('$12,345', 'en-US')).toBe('12345')
    expect(plainAmount('1,000', 'es-MX')).toBe('1000')
    expect(plainAmount('1,000', 'es-ES')).toBeNull()
  })

  it.each([
    '',
    ' ',
    'abc',
    '1e3',
    '-5',
    '+5',
    'NaN',
    '1.2.3',
    '1,00,0',
    '12,34.5',
    '1.000,50,1',
    '1,000.50.1',
    '1.000,000.5',
    '1 5',
    '10 00',
    '1 000 00',
    '1,000 000',
    ',',
    '.',
    '..',
  ])('refuses %j', (typed) => {
    expect(plainAmount(typed, 'es-CO')).toBeNull()
    expect(plainAmount(typed, 'en-US')).toBeNull()
  })
})

describe('readAmount', () => {
  it.each([
    ['1.000', 'es-CO', '1000', '1.000'],
    ['1,000', 'es-CO', '1000', '1.000'],
    ['12.500', 'es-CO', '12500', '12.500'],
    ['1,234', 'es-CO', '1234', '1.234'],
    ['1.000', 'en-US', '1000', '1.000'],
    ['999.999 USD', 'en-US', '999999', '999.999'],
  ] as const)('asks back for %j in %s', (typed, region, large, small) => {
    expect(readAmount(typed, region)).toEqual({ kind: 'unclear', large, small })
    expect(plainAmount(typed, region)).toBeNull()
  })
})

describe('fieldAmount', () => {
  it.each([
    ['1000', '1000,00', '1000.00'],
    ['1000.5', '1000,50', '1000.50'],
    ['12.345', '12,3450', '12.3450'],
    ['12.345000', '12,3450', '12.3450'],
    ['3.333333', '3,333333', '3.333333'],
    ['0.00', '0,00', '0.00'],
  ])('writes %j so that it reads as itself', (plain, es, en) => {
    expect(fieldAmount(plain, 'es-CO')).toBe(es)
    expect(fieldAmount(plain, 'en-US')).toBe(en)
    expect(plainAmount(es, 'es-CO')).toBe(en)
    expect(plainAmount(en, 'en-US')).toBe(en)
  })
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
