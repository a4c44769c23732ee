/** What the service worker does with a request; everything that is not named here goes its way untouched. */
export type Handling =
  /** From the network, or the offline page in its place. */
  | 'page'
  /** A file under a hashed name: kept on first use, for it never changes. */
  | 'asset'
  /** A file of the offline page that has no hashed name: from the network, or as it was kept. */
  | 'spare'
  | 'untouched'

export interface Asked {
  readonly method: string
  readonly mode: string
  readonly url: string
}

/** Never ours to keep: answers about somebody's money, and pages that the server writes for whoever develops. */
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

/** A proxy speaks for a server that is away: to a person that is the same as no connection. */
export function isAway(status: number): boolean {
  return status === 502 || status === 503 || status === 504
}
