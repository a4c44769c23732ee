import { pageQuery } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { presentList, readPage } from './paging.ts'

function page<Item>(search: string, found: { count: number; results: Item[] }) {
  const query = pageQuery.parse(Object.fromEntries(new URLSearchParams(search)))
  const call = { url: `/api/list/?${search}`, config: { publicUrl: 'https://office.example' } }
  return presentList(call, query, found)
}

describe('a page', () => {
  it('is the first ten where nothing is asked', () => {
    expect(readPage({})).toEqual({ page: 1, pageSize: 10, offset: 0 })
    expect(readPage({ page: 3, page_size: 25 })).toEqual({ page: 3, pageSize: 25, offset: 50 })
  })

  it('links to its neighbours and keeps the rest of the query', () => {
    const second = page('page=2&page_size=5&x=1', { count: 11, results: ['row'] })
    expect(second).toEqual({
      links: {
        next: 'https://office.example/api/list/?page=3&page_size=5&x=1',
        previous: 'https://office.example/api/list/?page=1&page_size=5&x=1',
      },
      total_pages: 3,
      count: 11,
      results: ['row'],
    })
  })

  it('has no neighbours at the ends', () => {
    expect(page('page=2', { count: 20, results: [] }).links.next).toBeNull()
    expect(page('', { count: 20, results: [] }).links.previous).toBeNull()
  })

  it('one of nothing is empty, and any further one does not exist', () => {
    expect(page('', { count: 0, results: [] })).toMatchObject({ total_pages: 1, results: [] })
    expect(() => page('page=2', { count: 0, results: [] })).toThrow('page_not_found')
    expect(() => page('page=3', { count: 20, results: [] })).toThrow('page_not_found')
  })
})
