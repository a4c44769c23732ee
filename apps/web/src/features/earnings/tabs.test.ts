import { describe, expect, it } from 'vitest'
import { saysSomething, shownTabs, TABS } from './tabs.ts'

describe('shownTabs', () => {
  it('shows all five to whoever has binary points', () => {
    expect(shownTabs('direct', true)).toEqual([...TABS])
  })

  it('leaves the binary ones out where there is nothing', () => {
    expect(shownTabs('direct', false)).toEqual(['direct', 'passive', 'not-paid'])
  })

  it('keeps them for an address that asks for them', () => {
    expect(shownTabs('points', false)).toEqual([...TABS])
    expect(shownTabs('binary', undefined)).toEqual(['direct', 'passive', 'binary', 'points'])
  })

  it('holds back what may move until it is known', () => {
    expect(shownTabs('passive', undefined)).toEqual(['direct', 'passive'])
    expect(shownTabs('not-paid', undefined)).toEqual(['direct', 'passive', 'not-paid'])
  })
})

describe('saysSomething', () => {
  const nothing = {
    as_of: null,
    left_points: '0.00',
    right_points: '0.00',
    qualified: false,
    lacking: [],
    percentage: '10',
    daily_cap: '1000.00',
  }

  it('does not before anything happened', () => {
    expect(saysSomething(nothing)).toBe(false)
  })

  it.each([{ as_of: '2026-11-20' }, { left_points: '0.000001' }, { right_points: '-5.00' }])(
    'does with %j',
    (change) => {
      expect(saysSomething({ ...nothing, ...change })).toBe(true)
    },
  )
})
