import type { PlanVersion } from '@aval/contract'
import { formatMicro } from '@aval/money'
import { describe, expect, it } from 'vitest'
import {
  currentOf,
  dailyRateOf,
  dayIn,
  firstDayOf,
  isDay,
  isLeftOut,
  isWeekend,
  nextDay,
  readRate,
  shownRate,
  versionOn,
  zoneOf,
} from './planRates.ts'

const documentOf = (percentPerPeriod: string, weekdaysOnly = false) => ({
  timeZone: 'America/Bogota',
  passive: { percentPerPeriod, periodDays: 30, weekdaysOnly, capMultiple: null },
})
const versionOf = (version: number, starts_at: string, document: PlanVersion['document']): PlanVersion => ({
  version,
  starts_at,
  current: version === 1,
  document,
})
const first = versionOf(1, '1970-01-01T00:00:00Z', documentOf('10'))
const second = versionOf(2, '2026-12-01T05:00:00Z', documentOf('6', true))
const versions = [second, first]

describe('days', () => {
  it('turn at midnight in the plan’s time zone', () => {
    expect(dayIn('2026-12-01T04:59:59Z', 'America/Bogota')).toBe('2026-11-30')
    expect(dayIn('2026-12-01T05:00:00Z', 'America/Bogota')).toBe('2026-12-01')
    expect(dayIn('2026-12-01T04:59:59Z', 'Nowhere/Land')).toBe('2026-12-01')
  })

  it('follow each other over the ends of months and years', () => {
    expect(nextDay('2026-12-31')).toBe('2027-01-01')
    expect(nextDay('2028-02-28')).toBe('2028-02-29')
  })

  it('are weekend on Saturday and Sunday', () => {
    const days = ['2026-12-04', '2026-12-05', '2026-12-06', '2026-12-07']
    expect(days.filter(isWeekend)).toEqual(['2026-12-05', '2026-12-06'])
  })

  it('are whole or none', () => {
    expect(['2026-12-05', '', '2026-13-01', '5.12.2026'].map(isDay)).toEqual([true, false, false, false])
  })
})

describe('the plan of a day', () => {
  it('is the newest that has begun', () => {
    expect(versionOn(versions, '2026-11-30')?.version).toBe(1)
    expect(versionOn(versions, '2026-12-01')?.version).toBe(2)
    expect(currentOf(versions)?.version).toBe(1)
  })

  it('began on a day of its own calendar, or was there from the beginning', () => {
    expect(firstDayOf(second)).toBe('2026-12-01')
    expect(firstDayOf(first)).toBeNull()
    expect(zoneOf(undefined)).toBe('UTC')
  })

  it('says nothing about rates when it is not a plan', () => {
    expect(dailyRateOf({})).toBeNull()
    expect(dailyRateOf({ passive: { percentPerPeriod: 'x', periodDays: 30 } })).toBeNull()
    expect(isLeftOut({}, '2026-12-05')).toBe(false)
  })
})

describe('a rate as it is typed', () => {
  it('is estimated on 1,000 USD beside the plan’s target', () => {
    const reading = readRate('0,25', '2026-11-30', versions)
    expect(reading).toMatchObject({ percentage: '0.25', isTooHigh: false, isLeftOut: false })
    expect(reading.estimate && formatMicro(reading.estimate)).toBe('2.50')
    expect(reading.targetEstimate && formatMicro(reading.targetEstimate)).toBe('3.333333')
  })

  it('is too high above the plan of that day, not of another', () => {
    expect(readRate('0.3', '2026-11-30', versions).isTooHigh).toBe(false)
    expect(readRate('0.3', '2026-12-01', versions).isTooHigh).toBe(true)
  })

  it('brings nothing on a weekend that the plan leaves out', () => {
    expect(readRate('0.1', '2026-12-05', versions)).toMatchObject({
      isLeftOut: true,
      isTooHigh: false,
      estimate: 0n,
      targetEstimate: 0n,
    })
  })

  it('says nothing while it is half typed', () => {
    const nothing = { percentage: null, target: null, estimate: null, targetEstimate: null }
    const no = { isTooHigh: false, isLower: false, isLeftOut: false }
    expect(readRate('', '', versions)).toEqual({ ...nothing, ...no })
  })
})

it('what is declared for a day is known where the page shows it, or shows the days around it', () => {
  const declared = [
    { day: '2026-05-09', percentage: '0.25' },
    { day: '2026-05-04', percentage: '0.1' },
  ]
  expect(shownRate(declared, true, '2026-05-04')).toBe('0.1')
  expect(shownRate(declared, true, '2026-05-06')).toBeNull()
  expect(shownRate(declared, true, '2026-05-03')).toBeUndefined()
  expect(shownRate(declared, false, '2026-05-06')).toBeUndefined()
  expect(shownRate([], true, '2026-05-06')).toBeNull()
})
