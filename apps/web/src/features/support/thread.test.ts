import type { SupportMessage, SupportMessages } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { NOTHING, nextPage, withNewest, withOlder, withSent } from './thread.ts'

const message = (id: number, seen = false): SupportMessage => ({
  id,
  from: 'member',
  topic: null,
  text: String(id),
  date: '2026-05-03T15:00:00Z',
  seen,
})
/** A page as it travels: newest first. */
const page = (ids: number[], count: number, pages = 2): SupportMessages => ({
  links: { next: null, previous: null },
  total_pages: pages,
  count,
  results: ids.map((id) => message(id)),
  state: 'open',
  unread: 0,
})
const ids = ({ messages }: { messages: readonly SupportMessage[] }) => messages.map(({ id }) => id)

describe('a conversation', () => {
  it('stands oldest first, and knows how much came before', () => {
    const known = withNewest(NOTHING, page([9, 8, 7], 5))
    expect([ids(known), known.older]).toEqual([[7, 8, 9], 2])
  })

  it('grows at its end without losing what was loaded', () => {
    const known = withNewest(withNewest(NOTHING, page([3, 2, 1], 3, 1)), page([5, 4, 3], 5))
    expect([ids(known), known.older]).toEqual([[1, 2, 3, 4, 5], 0])
  })

  it('grows at its beginning, also where the pages have shifted meanwhile', () => {
    const known = withOlder(withNewest(NOTHING, page([6, 5, 4], 6)), page([4, 3, 2], 6))
    expect([ids(known), known.older]).toEqual([[2, 3, 4, 5, 6], 1])
    expect(nextPage(known, 3)).toBe(2)
    expect(nextPage(withOlder(known, page([1], 6)), 3)).toBe(3)
  })

  it('shows no gap: what the newest page does not reach is asked for again', () => {
    const known = withNewest(withNewest(NOTHING, page([3, 2, 1], 3, 1)), page([9, 8, 7], 9, 3))
    expect([ids(known), known.older]).toEqual([[7, 8, 9], 6])
  })

  it('has what was just sent, once', () => {
    const sent = withSent(withNewest(NOTHING, page([1], 1, 1)), [message(2)])
    expect(ids(sent)).toEqual([1, 2])
    const known = withNewest(sent, { ...page([], 2, 1), results: [message(2, true), message(1)] })
    expect(ids(withSent(known, [message(2)]))).toEqual([1, 2])
    expect(withSent(known, [message(2)]).messages[1]?.seen).toBe(true)
  })
})
