import { describe, expect, it } from 'vitest'
import { formatsFor, groupsOfFour, shortHash } from './format.ts'

const es = formatsFor('es')
const en = formatsFor('en')

describe('formats', () => {
  it('writes amounts with two decimals, cut and never rounded', () => {
    expect(es.money(33.33)).toBe('$33,33')
    expect(en.money('33.339999')).toBe('$33.33')
    expect(en.money('9999999.99')).toBe('$9,999,999.99')
    expect(es.money(10000)).toBe('$10.000,00')
    expect(es.money('1005')).toBe('$1.005,00')
    expect(en.money(0)).toBe('$0.00')
  })

  it.each([
    ['es-CO', '$1.234.567,50', '33,1650', '0,3333\u00a0%', '1.234'],
    ['es-MX', '$1,234,567.50', '33.1650', '0.3333\u00a0%', '1,234'],
    ['es-PE', '$1,234,567.50', '33.1650', '0.3333\u00a0%', '1,234'],
    ['es-ES', '$1.234.567,50', '33,1650', '0,3333\u00a0%', '1.234'],
    ['es-CR', '$1\u00a0234\u00a0567,50', '33,1650', '0,3333\u00a0%', '1\u00a0234'],
    ['en-US', '$1,234,567.50', '33.1650', '0.3333\u00a0%', '1,234'],
  ] as const)('writes figures as in %s, and never three decimals of an amount', (region, ...written) => {
    const { money, exact, percent, count } = formatsFor('es', () => region)
    expect([money('1234567.50'), exact('33.165'), percent('0.3333'), count(1234)]).toEqual(written)
    expect(formatsFor('es', () => region).day('2026-11-20')).toBe('20 nov 2026')
  })

  it('has the day first in English where the region has it', () => {
    expect(formatsFor('en', () => 'en-GB').day('2026-11-20')).toBe('20 Nov 2026')
    expect(formatsFor('en', () => 'es-CO').day('2026-11-20')).toBe('Nov 20, 2026')
  })

  it('marks what came and what went without colour', () => {
    expect(en.signed('33.33')).toBe('+$33.33')
    expect(en.signed('-1.00')).toBe('−$1.00')
  })

  it('keeps six decimals where the exact amount matters', () => {
    expect(en.exact('1005.00')).toBe('1,005.00')
    expect(en.exact('3.333333')).toBe('3.333333')
  })

  it('spaces the percent sign as the language does', () => {
    expect(es.percent('0.3333')).toBe('0,3333\u00a0%')
    expect(en.percent(10)).toBe('10%')
  })

  it('reads month and day without a year', () => {
    expect(es.shortDay('11-20')).toBe('20 nov')
    expect(en.shortDay('02-29')).toBe('Feb 29')
  })

  it('writes points as figures, without a currency', () => {
    expect(es.points('1000.00')).toBe('1.000,00')
    expect(en.points('12.345678')).toBe('12.34')
    expect(en.points('-5.00')).toBe('−5.00')
  })

  it('writes an instant in the reader’s time', () => {
    const at = new Date(2026, 10, 20, 15, 4).toISOString()
    expect(es.dateTime(at)).toMatch(/20 nov 2026.*(15|3):04/)
    expect(en.dateTime(at)).toMatch(/Nov 20, 2026.*(15|3):04/)
  })

  it('keeps a day that day, and names months', () => {
    expect(es.day('2026-11-20')).toBe('20 nov 2026')
    expect(en.day('2026-01-01')).toBe('Jan 1, 2026')
    expect(es.shortMonth(1)).toBe('ene')
    expect(en.longMonth(12, 2026)).toBe('December 2026')
    expect(es.longMonth(11, 2026)).toBe('noviembre de 2026')
  })
})

it.each([
  ['1000.00 × 6.5 % = 65.00', '1.000,00 × 6,5\u00a0% = 65,00', '1,000.00 × 6.5% = 65.00'],
  ['min(2500.00, 600.00) = 600.00', 'min(2.500,00; 600,00) = 600,00', 'min(2,500.00; 600.00) = 600.00'],
  [
    '2000.00 × 10 % ÷ 30 = 6.666666',
    '2.000,00 × 10\u00a0% ÷ 30 = 6,666666',
    '2,000.00 × 10% ÷ 30 = 6.666666',
  ],
])('the computation %j is read in both languages', (text, spanish, english) => {
  expect(es.arithmetic(text)).toBe(spanish)
  expect(en.arithmetic(text)).toBe(english)
})

describe('groupsOfFour', () => {
  it('splits a whole address and loses nothing', () => {
    const address = 'TXLAQgG5mUo8Q1zePmT2kdPvH7cS9bRfWJ'
    const groups = groupsOfFour(address)
    expect(groups).toHaveLength(9)
    expect(groups.at(-1)).toEqual({ text: 'WJ', at: 32 })
    expect(groups.map(({ text }) => text).join('')).toBe(address)
  })

  it('has no groups for nothing', () => {
    expect(groupsOfFour('')).toEqual([])
  })
})

describe('shortHash', () => {
  it('keeps both ends of a long hash and the whole of a short one', () => {
    expect(shortHash('0123456789abcdef0123')).toBe('012345…ef0123')
    expect(shortHash('abc')).toBe('abc')
  })
})
