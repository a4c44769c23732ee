import { readdirSync, readFileSync } from 'node:fs'
import { LOCALES } from '@aval/contract'
import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { MESSAGES, type MessageKey, say, sayAmount, sayPercent } from './messages.ts'

const keys = Object.keys(MESSAGES.es) as MessageKey[]
const placeholders = (text: string) => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name).sort()

describe('every sentence', () => {
  it.each(keys)('%s mentions the same in both languages', (key) => {
    expect(placeholders(MESSAGES.en[key])).toEqual(placeholders(MESSAGES.es[key]))
  })

  it('exists in one file only, in both languages', () => {
    for (const locale of LOCALES) {
      const folder = new URL(`./locales/${locale}/`, import.meta.url)
      const inFiles = readdirSync(folder).flatMap((file) =>
        Object.keys(JSON.parse(readFileSync(new URL(file, folder), 'utf8'))),
      )
      expect(inFiles.sort()).toEqual([...keys].sort())
    }
    expect(Object.keys(MESSAGES.en).sort()).toEqual([...keys].sort())
  })
})

describe('what a sentence mentions', () => {
  it.each([
    ['es', '$1.000,00', '$3,333333', '1.234', '0,5\u00a0%'],
    ['en', '$1,000.00', '$3.333333', '1,234', '0.5%'],
  ] as const)('is written for readers of %s', (locale, thousand, small, count, percent) => {
    const saying = (limit: bigint) => say(locale, 'first_investment_too_small', { limit: micro(limit) })
    expect(saying(1_000_000_000n)).toContain(thousand)
    expect(saying(3_333_333n)).toContain(small)
    expect(say(locale, 'too_many_requests', { seconds: 30 })).toContain(' 30 ')
    expect(say(locale, 'sessions_ended', { count: 1234 })).toContain(count)
    expect(sayPercent(locale, '0.5')).toBe(percent)
    expect(sayAmount(locale, micro(-1_000_000_000n))).toBe(`−${thousand}`)
  })

  it('keeps every digit of a large amount', () => {
    expect(say('en', 'balance_too_small', { available: micro(9_999_999_999_999_999n) })).toContain(
      '$9,999,999,999.999999',
    )
  })

  it('is written as it is, whatever it contains', () => {
    const name = '{{amount}} $t(not_found) $& <b>"Ana" & \'Bea\'</b>'
    expect(say('en', 'investment_was_reversed', { name, amount: 'A', taken: 'T' })).toContain(name)
  })

  it('is never left out silently', () => {
    expect(() => say('es', 'first_investment_too_small')).toThrow('needs the parameter limit')
  })
})
