import { LOCALES, REFUSALS } from '@aval/contract'
import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { en } from './messages/en.ts'
import { es } from './messages/es.ts'
import { type MessageKey, say } from './messages.ts'

const placeholders = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()

describe('every sentence', () => {
  it.each(Object.keys(es))('%s mentions the same in both languages', (key) => {
    expect(placeholders(en[key as MessageKey])).toEqual(placeholders(es[key as MessageKey]))
  })

  it('exists for every refusal', () => {
    for (const code of Object.keys(REFUSALS)) expect(Object.keys(es)).toContain(code)
  })
})

describe('what a sentence mentions', () => {
  it.each(LOCALES)('is written for readers of %s', (locale) => {
    expect(say(locale, 'first_investment_too_small', { limit: micro(1_000_000_000n) })).toContain(
      '1,000.00 USD',
    )
    expect(say(locale, 'first_investment_too_small', { limit: micro(3_333_333n) })).toContain('3.333333 USD')
    expect(say(locale, 'too_many_requests', { seconds: 30 })).toContain(' 30 ')
  })

  it('keeps every digit of a large amount', () => {
    expect(say('en', 'balance_too_small', { available: micro(9_999_999_999_999_999n) })).toContain(
      '9,999,999,999.999999 USD',
    )
  })

  it('is never left out silently', () => {
    expect(() => say('es', 'first_investment_too_small')).toThrow('needs the parameter limit')
  })
})
