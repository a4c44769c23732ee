import { describe, expect, it } from 'vitest'
import { withdrawalTerms } from '../../testing/figures.ts'
import { brokenAmountRule, mostOf, quoteOf } from './quote.ts'

const terms = {
  ...withdrawalTerms,
  unlocked_principal: '1000.00',
  available: '1120.50',
  left_today: '800.00',
}

describe('a quote', () => {
  it('takes the fee from the amount, and the balance before the principal', () => {
    expect(quoteOf('250', terms)).toEqual({
      amount: '250.00',
      fee: '1.00',
      arrives: '249.00',
      fromBalance: '120.50',
      fromPrincipal: '129.50',
    })
  })

  it('leaves principal alone where the balance covers it', () => {
    expect(quoteOf('50', terms)).toMatchObject({ fromBalance: '50.00', fromPrincipal: '0.00' })
  })

  it.each([null, '0', '1', '0.5'])('of %s is none: nothing would arrive', (plain) => {
    expect(quoteOf(plain, terms)).toBeNull()
  })
})

describe('an amount', () => {
  it.each([
    ['', null, 'required'],
    ['   ', null, 'required'],
    ['abc', null, 'invalid'],
    ['1.1234567', '1.1234567', 'invalid'],
    [' − 1,250.5 ', null, 'positive'],
    ['-5', null, 'positive'],
    ['5-5', null, 'invalid'],
    ['-5 USDT', null, 'invalid'],
    ['a-5', null, 'invalid'],
    ['-a5', null, 'invalid'],
    ['-5a', null, 'invalid'],
    ['20', '20', null],
    ['0', '0', 'positive'],
    ['19.99', '19.99', 'minimum'],
    ['1120.51', '1120.51', 'available'],
    ['800.01', '800.01', 'daily'],
    ['800', '800', null],
  ] as const)('%j is %s', (typed, plain, rule) => {
    expect(brokenAmountRule(typed, plain, terms)).toBe(rule)
  })

  it('of all that is available breaks no rule', () => {
    expect(brokenAmountRule('30', '30', { ...terms, available: '30.00' })).toBeNull()
  })

  it('is not held against terms that are still on their way', () => {
    expect(brokenAmountRule('1', '1', undefined)).toBeNull()
  })

  it('at most is what is there and what today allows', () => {
    expect(mostOf(terms)).toBe('800.00')
    expect(mostOf({ ...terms, available: '30.00' })).toBe('30.00')
  })
})
