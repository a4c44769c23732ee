import { describe, expect, it } from 'vitest'
import { placeLink, placeQuery } from './place.ts'

describe('a place of the operator’s pages', () => {
  it('leaves out of its address what is the beginning anyway', () => {
    expect(placeQuery('withdrawals')).toEqual({})
    expect(placeQuery('overview')).toEqual({ tab: 'overview' })
    expect(placeQuery('runs', { state: null, page: 1 })).toEqual({ tab: 'runs' })
    expect(placeQuery('investments', { member: '', page: 2 })).toEqual({ tab: 'investments', page: '2' })
  })

  it('is a link', () => {
    expect(placeLink('runs', { run: 41 })).toBe('?tab=runs&run=41')
    expect(placeLink('investments', { member: 'ana@example.com' })).toBe(
      '?tab=investments&member=ana%40example.com',
    )
  })
})
