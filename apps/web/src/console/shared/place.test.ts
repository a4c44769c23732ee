import { describe, expect, it } from 'vitest'
import { memberLink, movedPlace, placeLink } from './place.ts'

describe('placeLink', () => {
  it('leaves out what is absent, empty or the first page', () => {
    expect(placeLink('today')).toBe('/operator')
    expect(placeLink('treasury')).toBe('/operator/treasury')
    expect(placeLink('runs', { state: null, page: 1 })).toBe('/operator/runs')
    expect(placeLink('investments', { member: '', page: 2 })).toBe('/operator/investments?page=2')
  })

  it('names a run, a member', () => {
    expect(placeLink('runs', { run: '41' })).toBe('/operator/runs?run=41')
    expect(placeLink('investments', { member: 'ana@example.com' })).toBe(
      '/operator/investments?member=ana@example.com',
    )
    expect(memberLink(7)).toBe('/operator/members/7')
  })
})

describe('movedPlace', () => {
  it.each([
    ['', null],
    ['?page=2', null],
    ['?tab=runs&run=41', '/operator/runs?run=41'],
    ['?tab=overview&pool=profit', '/operator/treasury?pool=profit'],
    ['?tab=nowhere&run=41', '/operator'],
  ])('“%s” leads to %s', (search, to) => {
    expect(movedPlace(search)).toBe(to)
  })
})
