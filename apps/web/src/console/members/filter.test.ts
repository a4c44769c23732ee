import { expect, it } from 'vitest'
import { type MembersPlace, queryOf } from './filter.ts'

const place: MembersPlace = {
  q: 'ana & co',
  active: 'true',
  fundator: null,
  has_balance: null,
  open_withdrawal: 'false',
  frozen: 'true',
  closed: null,
  joined_from: '2026-05-01',
  joined_to: null,
  sponsor: '',
  order: '-principal',
  after: '17',
}

it('what the list is asked for is what stands in the address, and its export has neither page nor order', () => {
  expect(queryOf(place)).toBe(
    '?q=ana+%26+co&active=true&open_withdrawal=false&frozen=true&joined_from=2026-05-01&order=-principal&after=17',
  )
  expect(queryOf(place, true)).toBe(
    '?q=ana+%26+co&active=true&open_withdrawal=false&frozen=true&joined_from=2026-05-01',
  )
})
