import { describe, expect, it } from 'vitest'
import { pageFrom, pageTyped, pageWindow } from './pageWindow.ts'

describe('pageWindow', () => {
  it('shows every page while they fit', () => {
    expect(pageWindow(1, 1)).toEqual([1])
    expect(pageWindow(3, 7)).toEqual([1, 2, 3, 4, 5, 6, 7])
  })

  it('leaves gaps out among many', () => {
    expect(pageWindow(1, 1000)).toEqual([1, 2, 3, 4, 5, 'gap', 1000])
    expect(pageWindow(4, 1000)).toEqual([1, 2, 3, 4, 5, 'gap', 1000])
    expect(pageWindow(500, 1000)).toEqual([1, 'gap', 499, 500, 501, 'gap', 1000])
    expect(pageWindow(1000, 1000)).toEqual([1, 'gap', 996, 997, 998, 999, 1000])
  })

  it('always holds the current page, in seven places, in order', () => {
    for (let current = 1; current <= 40; current += 1) {
      const items = pageWindow(current, 40)
      expect(items).toHaveLength(7)
      expect(items).toContain(current)
      const numbers = items.filter((item) => item !== 'gap')
      expect(numbers).toEqual(numbers.toSorted((left, right) => left - right))
    }
  })

  it('survives a current page outside the range', () => {
    expect(pageWindow(99, 10)).toEqual([1, 'gap', 6, 7, 8, 9, 10])
    expect(pageWindow(-3, 10)).toEqual([1, 2, 3, 4, 5, 'gap', 10])
  })
})

describe('pageFrom', () => {
  it.each([null, '', '0', '-1', '1.5', 'x', '1e3'])('reads %j as the first page', (text) => {
    expect(pageFrom(text)).toBe(1)
  })

  it('reads a whole number', () => {
    expect(pageFrom('12')).toBe(12)
  })
})

describe('pageTyped', () => {
  it.each([
    ['12', 12],
    [' 1,000 ', 1000],
    ['0', 1],
    ['5000', 1000],
  ])('takes %j for %i of a thousand', (text, page) => expect(pageTyped(text, 1000)).toBe(page))

  it.each(['', 'x', '-3', '1e3'])('takes %j for none', (text) => expect(pageTyped(text, 1000)).toBeNull())
})
