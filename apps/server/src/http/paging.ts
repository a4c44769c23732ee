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

/** The call that asks for a page. */
interface PageCall {
  /** Path and query as they were sent. */
  readonly url: string
  readonly config: { readonly publicUrl: string }
}

function linkTo({ url, config }: PageCall, page: number): string {
  const { pathname, searchParams } = new URL(url, 'http://localhost')
  searchParams.set('page', String(page))
  return `${config.publicUrl}${pathname}?${searchParams}`
}

/** @throws Refusal `page_not_found` past the end; page 1 of nothing is an empty list. */
export function presentList<Item>(
  call: PageCall,
  query: PageQuery,
  found: { readonly count: number; readonly results: Item[] },
): Page<Item> {
  const { page, pageSize } = readPage(query)
  const total = Math.max(1, Math.ceil(found.count / pageSize))
  if (page > total) throw new Refusal('page_not_found')
  return {
    links: {
      next: page < total ? linkTo(call, page + 1) : null,
      previous: page > 1 ? linkTo(call, page - 1) : null,
    },
    total_pages: total,
    count: found.count,
    results: found.results,
  }
}
