import { describe, expect, it } from 'vitest'
import { formatsFor } from '../../ui/format.ts'
import { differenceOf, monthBeside, placeByKey, viewOf, viewsOf, weeksOf } from './runItems.ts'

describe('the items of a run', () => {
  it('are compared with the run before, except where batches of investments have nothing in common', () => {
    expect(viewsOf({ kind: 'passive' })).toContain('gone')
    expect(viewsOf({ kind: 'direct' })).toEqual(['items', 'largest', 'missed'])
    expect(viewOf({ kind: 'binary' }, 'fresh')).toBe('fresh')
    expect([viewOf({ kind: 'direct' }, 'fresh'), viewOf({ kind: 'binary' }, null)]).toEqual([
      'items',
      'items',
    ])
  })

  it.each([
    ['13.00', '10.00', '+3.00'],
    ['0.000001', '1.00', '−0.999999'],
    ['5.00', '5.00', ''],
    ['x', '5.00', ''],
  ])('of %s after %s say the difference: %j', (amount, before, difference) => {
    expect(differenceOf(amount, before, formatsFor('en'))).toBe(difference)
  })
})

describe('the calendar', () => {
  it('begins its weeks on Mondays', () => {
    const days = ['2026-05-01', '2026-05-02', '2026-05-03', '2026-05-04'].map((day) => ({ day }))
    expect(weeksOf(days).map((week) => week.map((each) => each?.day.slice(-2) ?? ''))).toEqual([
      ['', '', '', '', '01', '02', '03'],
      ['04'],
    ])
    expect(weeksOf([])).toEqual([])
  })

  it('turns over the year', () => {
    expect([monthBeside('2026-01', -1), monthBeside('2026-12', 1)]).toEqual(['2025-12', '2027-01'])
  })

  it.each([
    ['ArrowRight', 5, 6],
    ['ArrowDown', 5, 12],
    ['ArrowUp', 5, null],
    ['ArrowLeft', 0, null],
    ['End', 5, 30],
    ['Home', 5, 0],
    ['a', 5, null],
  ])('with %s leads from place %i to %s', (key, at, next) => {
    expect(placeByKey(key, at, 31)).toBe(next)
  })
})
