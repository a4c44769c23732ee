import { describe, expect, it } from 'vitest'
import { searchFor, wantedFrom } from './place.ts'

const from = (search: string) => wantedFrom(new URLSearchParams(search))

describe('the place in the list of referrals', () => {
  it.each([
    ['', 1, null],
    ['page=3', 3, null],
    ['status=active&page=2', 2, 'active'],
    ['status=inactive', 1, 'inactive'],
    ['status=gone&page=x', 1, null],
  ])('is read from %j', (search, page, status) => expect(from(search)).toEqual({ page, status }))

  it.each(['', 'page=3', 'status=active&page=2', 'status=inactive'])('is written to %j as it was', (search) =>
    expect(searchFor(from(search)).toString()).toBe(search),
  )
})
