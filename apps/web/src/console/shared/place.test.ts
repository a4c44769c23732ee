import { describe, expect, it } from 'vitest'
import { placeLink } from './place.ts'

describe('a link to a place in the console', () => {
  it('leaves out the defaults', () => {
    expect(placeLink('withdrawals')).toBe('')
    expect(placeLink('overview')).toBe('?tab=overview')
    expect(placeLink('runs', { state: null, page: 1 })).toBe('?tab=runs')
    expect(placeLink('investments', { member: '', page: 2 })).toBe('?tab=investments&page=2')
  })

  it('escapes its values', () => {
    expect(placeLink('runs', { run: '41' })).toBe('?tab=runs&run=41')
    expect(placeLink('investments', { member: 'ana@example.com' })).toBe(
      '?tab=investments&member=ana@example.com',
    )
  })
})
