import { describe, expect, it } from 'vitest'
import { parseAsMatch, parseAsPage } from './place.ts'

describe('the page in an address', () => {
  it.each(['', '0', '-1', '1.5', 'x', '1e3', '3x'])('is the first page for %j', (text) => {
    expect(parseAsPage.parse(text) ?? parseAsPage.defaultValue).toBe(1)
  })

  it('is a whole number', () => {
    expect(parseAsPage.parse('12')).toBe(12)
  })
})

it('takes a text of another form for absent', () => {
  expect(parseAsMatch(/^O-\d+$/).parse('O-5')).toBe('O-5')
  expect(parseAsMatch(/^O-\d+$/).parse('O-5;')).toBeNull()
})
