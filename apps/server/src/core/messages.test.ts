import { readdirSync, readFileSync } from 'node:fs'
import { LOCALES } from '@aval/contract'
import { micro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import { MESSAGES, type MessageKey, readerOf, say, sayPercent } from './messages.ts'

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

/** What is counted in hundreds, in amounts, or from two or three on. */
const NEVER_ONE = new Set(
  `
  too_many_requests_long statement_too_long why_binary why_binary_capped why_passive_capped
  too_many_masters too_many_referrals too_many_passkeys payment_confirming
  support_too_many_templates notification_subject mail_stands_still_hours
  notification_withdrawal_late
`
    .trim()
    .split(/\s+/),
)
const COUNTED =
  /\}\} (segundos|minutos|horas|días|años|puntos|veces|movimientos|másteres|referidos|llaves|confirmaciones|plantillas|cosas|aprobadores)/

describe('a sentence that counts', () => {
  it('has a form for one of it', () => {
    const counting = keys.filter((key) => COUNTED.test(MESSAGES.es[key]) && !NEVER_ONE.has(key))
    expect(counting.length).toBeGreaterThan(5)
    for (const key of counting) expect([key, Object.hasOwn(MESSAGES.es, `${key}_one`)]).toEqual([key, true])
  })

  it('says it of one, in both languages', () => {
    for (const locale of LOCALES) {
      const [one, two] = [1, 2].map((count) =>
        say(readerOf(locale, null), 'too_many_requests', { seconds: count, count }),
      )
      expect([/\bsegundos|seconds/.test(one ?? ''), /\bsegundos|seconds/.test(two ?? '')]).toEqual([
        false,
        true,
      ])
    }
  })
})

describe('what a sentence mentions', () => {
  it.each([
    ['es', null, '$1.000,00', '$3,333333', '1.234', '0,5\u00a0%'],
    ['es', 'es-CO', '$1.000,00', '$3,333333', '1.234', '0,5\u00a0%'],
    ['es', 'es-MX', '$1,000.00', '$3.333333', '1,234', '0.5\u00a0%'],
    ['es', 'es-PE', '$1,000.00', '$3.333333', '1,234', '0.5\u00a0%'],
    ['es', 'es-ES', '$1.000,00', '$3,333333', '1.234', '0,5\u00a0%'],
    ['es', 'es-CR', '$1\u00a0000,00', '$3,333333', '1\u00a0234', '0,5\u00a0%'],
    ['en', null, '$1,000.00', '$3.333333', '1,234', '0.5%'],
    ['en', 'es-CO', '$1.000,00', '$3,333333', '1.234', '0,5%'],
  ] as const)('is written for readers of %s in %s', (language, region, thousand, exact, count, percent) => {
    const reader = readerOf(language, region)
    const limited = (limit: bigint) => say(reader, 'first_investment_too_small', { limit: micro(limit) })
    expect(limited(1_000_000_000n)).toContain(thousand)
    expect(limited(3_333_333n)).toContain(exact)
    expect(say(reader, 'too_many_requests', { seconds: 30 })).toContain(' 30 ')
    expect(say(reader, 'sessions_ended', { count: 1234 })).toContain(count)
    expect(sayPercent(reader, '0.5')).toBe(percent)
    expect(limited(33_165_000n)).not.toMatch(/33.165\D/)
  })

  it('of time says the zone that it is in', () => {
    const until = new Date('2026-05-03T15:04:00Z')
    expect(say('es', 'cooling', { until }, 'America/Bogota')).toContain(
      '3 de mayo de 2026, 10:04 (America/Bogota, GMT-5)',
    )
    expect(say('en', 'cooling', { until })).toContain('May 3, 2026, 15:04 (UTC)')
  })

  it('keeps every digit of a large amount', () => {
    expect(
      say(readerOf('en', null), 'balance_too_small', { available: micro(9_999_999_999_999_999n) }),
    ).toContain('$9,999,999,999.999999')
  })

  it('is written as it is, whatever it contains', () => {
    const name = '{{amount}} $t(not_found) $& <b>"Ana" & \'Bea\'</b>'
    expect(
      say(readerOf('en', null), 'investment_reversal_proposed', { name, amount: 'A', taken: 'T' }),
    ).toContain(name)
  })

  it('is never left out silently', () => {
    expect(() => say('es', 'first_investment_too_small')).toThrow('needs the parameter limit')
  })
})
