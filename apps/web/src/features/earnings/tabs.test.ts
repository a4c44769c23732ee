import { describe, expect, it } from 'vitest'
import { shownTabs, TABS } from './tabs.ts'

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
