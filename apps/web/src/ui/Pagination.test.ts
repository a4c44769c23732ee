import { describe, expect, it } from 'vitest'
import { pageTyped } from './Pagination.tsx'

describe('pageTyped', () => {
  it.each([
    ['12', 12],
    [' 1,000 ', 1000],
    ['0', 1],
    ['5000', 1000],
  ])('takes %j for page %i of a thousand', (text, page) => expect(pageTyped(text, 1000)).toBe(page))

  it.each(['', 'x', '-3', '1e3'])('does not take %j for a page', (text) =>
    expect(pageTyped(text, 1000)).toBeNull(),
  )
})
