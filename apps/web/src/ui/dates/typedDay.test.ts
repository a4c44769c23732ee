import { describe, expect, it } from 'vitest'
import { readDay, writeDay } from './typedDay.ts'

describe('a typed day', () => {
  it.each([
    ['20/11/2026', '2026-11-20'],
    ['3/4/2026', '2026-04-03'],
    ['03.04.2026', '2026-04-03'],
    ['03-04-2026', '2026-04-03'],
    ['03042026', '2026-04-03'],
    [' 2026-04-03 ', '2026-04-03'],
    ['29/02/2028', '2028-02-29'],
    ['29/02/2026', null],
    ['31/04/2026', null],
    ['11/20/2026', null],
    ['00/01/2026', null],
    ['3/4', null],
    ['3/4/26', null],
    ['2026-13-01', null],
    ['', null],
    ['mañana', null],
  ])('%s is the day %s in Spanish', (text, day) => {
    expect(readDay(text, 'es')).toBe(day)
  })

  it.each([
    ['11/20/2026', '2026-11-20'],
    ['3/4/2026', '2026-03-04'],
    ['20/11/2026', null],
  ])('%s is the day %s in English', (text, day) => {
    expect(readDay(text, 'en')).toBe(day)
  })

  it.each(['es', 'en'] as const)('is written in %s as it is read', (locale) => {
    for (const day of ['2026-01-31', '2028-02-29', '2026-12-05'])
      expect(readDay(writeDay(day, locale), locale)).toBe(day)
    expect(writeDay('', locale)).toBe('')
    expect(writeDay('2026-1-1', locale)).toBe('')
  })
})
