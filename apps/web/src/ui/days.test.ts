import { describe, expect, it } from 'vitest'
import { byDay, dayOf, namedDay } from './days.ts'

const local = (day: number, hour: number) => new Date(2026, 2, day, hour)
const iso = (day: number, hour: number) => local(day, hour).toISOString()

describe('a day', () => {
  it('is the reader’s, to its last minute', () => {
    expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
    expect(dayOf(new Date(2026, 0, 6))).toBe('2026-01-06')
  })

  it.each([
    [local(10, 0), 'today'],
    [local(9, 23), 'yesterday'],
    [local(8, 23), null],
    [local(11, 1), null],
  ])('%s is called %s', (at, name) => {
    expect(namedDay(at, local(10, 12))).toBe(name)
  })

  it('before the first of a month is the last of the one before', () => {
    expect(namedDay(new Date(2026, 1, 28, 9), local(1, 9))).toBe('yesterday')
  })
})

describe('things by their day', () => {
  it('keep their order, a list a day', () => {
    const items = [iso(1, 8), iso(1, 22), iso(3, 1)].map((date) => ({ date }))
    expect(byDay(items).map(({ day, items: ofDay }) => [day, ofDay.length])).toEqual([
      ['2026-03-01', 2],
      ['2026-03-03', 1],
    ])
    expect(byDay([])).toEqual([])
  })
})
