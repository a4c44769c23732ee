import { describe, expect, it } from 'vitest'
import { negotiate } from './language.ts'

describe('the language of an answer', () => {
  it.each([
    [undefined, 'es'],
    ['', 'es'],
    ['en', 'en'],
    ['EN-us', 'en'],
    ['es-MX', 'es'],
    ['fr, de', 'es'],
    ['fr, en;q=0.5', 'en'],
    ['es;q=0.5, en;q=0.9', 'en'],
    ['en;q=0.5, es;q=0.9', 'es'],
    ['en, es', 'en'],
    ['en;q=0, *', 'es'],
    ['en;q=0', 'es'],
    ['*, en;q=0.5', 'es'],
    ['en;q=high', 'es'],
    ['english', 'es'],
    [',;,;q=1', 'es'],
    [`${'fr,'.repeat(100_000)}en`, 'es'],
  ])('for %j is %s', (header, locale) => {
    expect(negotiate(header)).toBe(locale)
  })
})
