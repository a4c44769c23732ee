import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  addDays,
  companyDayAt,
  companyDayStart,
  type Day,
  dayAt,
  dayStart,
  type ZoneFrom,
} from './calendar.ts'

const QUARTER_MS = 15 * 60_000
const DAY_MS = 86_400_000
/** Clock changes at midnight, of half an hour, and across the date line; Apia had no 30 December 2011. */
const ZONES = [
  'America/Havana',
  'Asia/Tokyo',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'Europe/Lisbon',
  'UTC',
] as const
const zone = fc.constantFrom(...ZONES)
const FIRST_DAYS = ['2011-12-24', '2026-10-28', '2028-03-09', '2028-10-31'] as Day[]

/** Plans that start at a midnight of the zone before, as operators' do. */
const turning = fc
  .tuple(
    fc.constantFrom(...FIRST_DAYS),
    zone,
    fc.array(fc.tuple(fc.integer({ min: 1, max: 5 }), zone), { maxLength: 3 }),
  )
  .map(([first, timeZone, moves]) => {
    const zones: ZoneFrom[] = [{ from: new Date(0), timeZone }]
    let day = first
    for (const [days, next] of moves) {
      const { from, timeZone: present } = zones.at(-1) ?? { from: new Date(0), timeZone }
      day = addDays(day, days)
      const starts = dayStart(day, present)
      if (starts > from) zones.push({ from: starts, timeZone: next })
    }
    return { first, zones }
  })

const calendarAt = (at: Date, zones: readonly ZoneFrom[]) =>
  dayAt(at, zones.findLast(({ from }) => from <= at)?.timeZone ?? 'UTC')

describe('a day of the company', () => {
  it('begins when the calendar in force first says so, wherever plans move the time zone', () => {
    fc.assert(
      fc.property(turning, fc.integer({ min: 0, max: 14 }), ({ first, zones }, later) => {
        const day = addDays(first, later)
        // From before the day begins anywhere.
        let at = Date.parse(day) - 2 * DAY_MS
        while (calendarAt(new Date(at), zones) < day) at += QUARTER_MS
        expect(companyDayStart(day, zones)).toEqual(new Date(at))
      }),
      { numRuns: 150 },
    )
  })

  it('follows the day before, and lasts until the next begins', () => {
    fc.assert(
      fc.property(turning, fc.integer({ min: -1000, max: 20_000 }), ({ first, zones }, minutes) => {
        const at = new Date(Date.parse(first) + minutes * 60_000)
        const day = companyDayAt(at, zones)
        expect(companyDayStart(day, zones) <= at).toBe(true)
        expect(companyDayStart(addDays(day, 1), zones) > at).toBe(true)
        expect(companyDayStart(addDays(day, -1), zones) <= companyDayStart(day, zones)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('is none without a plan', () => {
    expect(() => companyDayStart('2026-05-03' as Day, [])).toThrow('no plan')
    expect(() => companyDayAt(new Date(0), [])).toThrow('no plan')
  })
})
