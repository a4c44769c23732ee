/** What the service worker does with a request. */
export type Handling =
  /** From the network, or else the offline page. */
  | 'page'
  /** A file with a hashed name: cached on first use, because it never changes. */
  | 'asset'
  /** A file of the offline page that has no hashed name: from the network, or else the cached copy. */
  | 'spare'
  | 'untouched'

export interface Asked {
  readonly method: string
  readonly mode: string
  readonly url: string
}

/** Never cached: answers of the API, and the server's pages for developers. */
const NOT_OURS = /^\/(api|dev)(\/|$)/

/** @param spares paths of files without a hashed name that the offline page needs */
export function handlingOf(
  { method, mode, url }: Asked,
  origin: string,
  spares: readonly string[],
): Handling {
  const target = new URL(url)
  if (method !== 'GET' || target.origin !== origin || NOT_OURS.test(target.pathname)) return 'untouched'
  if (mode === 'navigate') return 'page'
  if (target.pathname.startsWith('/assets/')) return 'asset'
  return spares.includes(target.pathname) ? 'spare' : 'untouched'
}

/** A proxy answers for a server that is down: for the member the same as no connection. */
export function isAway(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
