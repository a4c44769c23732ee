import { describe, expect, it } from 'vitest'
import { brokenAmountRule, progressWith, quoteOf } from './quote.ts'

const terms = { fee_percentage: '0.5', daily_percentage: '0.3333' }

describe('quoteOf', () => {
  it('adds the fee to what is sent', () => {
    expect(quoteOf('1000', terms, false)).toEqual({
      amount: '1000.00',
      fee: '5.00',
      total: '1005.00',
      daily: '3.333',
    })
  })

  it('takes no fee from the balance', () => {
    expect(quoteOf('1000', terms, true)).toMatchObject({ fee: '0.00', total: '1000.00' })
  })

  it.each([
    ['33', '0.17', '33.17'],
    ['1', '0.01', '1.01'],
    ['33.333333', '0.166667', '33.50'],
  ])('of %s asks for whole cents, and adds up', (amount, fee, total) => {
    expect(quoteOf(amount, terms, false)).toMatchObject({ fee, total })
  })

  it.each([null, '0', '1.1234567'])('has nothing to say about %j', (plain) => {
    expect(quoteOf(plain, terms, false)).toBeNull()
  })
})

describe('brokenAmountRule', () => {
  const limits = { minimum: '500.00', balance: null }

  it.each([
    ['', null, 'required'],
    ['   ', null, 'required'],
    ['abc', null, 'invalid'],
    ['0', '0', 'invalid'],
    ['499.99', '499.99', 'minimum'],
    ['500', '500', null],
  ])('finds in %j (%j) the rule %j', (typed, plain, rule) => {
    expect(brokenAmountRule(typed, plain, limits)).toBe(rule)
  })

  it('keeps the amount within the balance that pays it', () => {
    const withBalance = { minimum: '1.00', balance: '33.33' }
    expect(brokenAmountRule('33.33', '33.33', withBalance)).toBeNull()
    expect(brokenAmountRule('33.34', '33.34', withBalance)).toBe('balance')
  })

  it('does not know a minimum before the terms have come', () => {
    expect(brokenAmountRule('1', '1', { minimum: undefined, balance: null })).toBeNull()
  })
})

describe('progressWith', () => {
  it.each([
    ['10000.00', '684.931506', '1', 6.84, 6.84],
    ['10000.00', '684.931506', '10000', 6.84, 3.42],
    ['0.00', '0.00', '500', 0, 0],
    ['500.00', '500.00', null, 100, 100],
  ])('of %s of which %s is over, with %s more', (invested, elapsed, more, now, after) => {
    expect(progressWith({ invested, elapsed }, more)).toEqual({ now, after })
  })
})
