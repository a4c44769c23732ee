/**
 * Where the refresh token is kept. A cookie that no script reads holds it wherever the browser takes one: over TLS, and on this machine
 * itself. Elsewhere, as on plain HTTP, the app keeps it, as clients that speak the contract do.
 */

/** What the header below asks for; the server takes it from its own pages alone. */
const HEADER = { 'Aval-App': 'web' } as const

/**
 * Whether the browser takes a cookie like the server's, which is tried out: Safari takes none at http://localhost, where others do.
 * The name is drawn, so that two tabs do not remove each other's. @param page the document
 */
export function takesCookies(page: Pick<Document, 'cookie'>): boolean {
  const name = `__Host-aval-try-${crypto.getRandomValues(new Uint32Array(1)).join('')}`
  const write = (rest: string) => {
    page.cookie = `${name}=1; Path=/; Secure; SameSite=Strict${rest}`
  }
  try {
    write('')
    const taken = page.cookie.split('; ').includes(`${name}=1`)
    write('; Max-Age=0')
    return taken
  } catch {
    return false
  }
}

let taken: boolean | null = null

/** The headers of a call that opens, renews or ends a session. */
export function asOwnApp(): Record<string, string> {
  // Tests of calls have no document.
  taken ??= 'document' in globalThis && takesCookies(document)
  return taken ? HEADER : {}
}
