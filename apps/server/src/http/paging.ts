import { DEFAULT_PAGE_SIZE, type Page, type PageQuery } from '@aval/contract'
import { Refusal } from '../core/refusal.ts'

export interface PageWanted {
  readonly page: number
  readonly pageSize: number
  /** Rows to skip. */
  readonly offset: number
}

/** Reads the query of a list; the route's schema is `pageQuery`, which has checked it. */
export function readPage(query: PageQuery): PageWanted {
  const page = query.page ?? 1
  const pageSize = query.page_size ?? DEFAULT_PAGE_SIZE
  return { page, pageSize, offset: (page - 1) * pageSize }
}

interface PagedRequest {
  readonly query: PageQuery
  readonly originalUrl: string
  readonly server: { readonly publicUrl: string }
}

function linkTo(request: PagedRequest, page: number): string {
  const url = new URL(request.originalUrl, 'http://localhost')
  url.searchParams.set('page', String(page))
  return `${request.server.publicUrl}${url.pathname}${url.search}`
}

/** @throws Refusal `page_not_found` past the end; page 1 of nothing is an empty list. */
export function presentPage<Item>(
  request: PagedRequest,
  found: { readonly count: number; readonly results: Item[] },
): Page<Item> {
  const { page, pageSize } = readPage(request.query)
  const total = Math.max(1, Math.ceil(found.count / pageSize))
  if (page > total) throw new Refusal('page_not_found')
  return {
    links: {
      next: page < total ? linkTo(request, page + 1) : null,
      previous: page > 1 ? linkTo(request, page - 1) : null,
    },
    total_pages: total,
    count: found.count,
    results: found.results,
  }
}
