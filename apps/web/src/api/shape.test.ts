import { describe, expect, it } from 'vitest'
import { hasFields, isPage, isText } from './shape.ts'

describe('the shape of an answer', () => {
  it('of a list is a page of rows', () => {
    expect(isPage({ links: {}, total_pages: 1, count: 0, results: [] })).toBe(true)
    expect(isPage({ total_pages: 2, results: [{ id: 1 }] })).toBe(true)
  })

  it.each([
    null,
    7,
    'text',
    [],
    {},
    { results: [] },
    { total_pages: 1 },
    { total_pages: 1, results: [null] },
  ])('is none of a list in %j', (body) => expect(isPage(body)).toBe(false))

  it('of a figure has its fields, null among them', () => {
    const fits = hasFields('balance', 'date')
    expect(fits({ balance: 0, date: null, more: 1 })).toBe(true)
    for (const body of [null, [], {}, { balance: 1 }, 'balance']) expect(fits(body)).toBe(false)
  })

  it('of a sentence is a text', () => {
    expect([isText('Listo'), isText(null), isText({})]).toEqual([true, false, false])
  })
})
