/** Which requests are meant for this page: a stranger's page must neither read it nor post to it, under whatever name it found us. */

/**
 * `own`: the page's address. `address`: an IP address or this machine's own name, which no stranger's name server can point at us:
 * there the page says where to go. `other`: any other name.
 */
export type HostKind = 'own' | 'address' | 'other'

const LOCAL = /^(localhost|\[[0-9a-f:.]+\]|\d{1,3}(\.\d{1,3}){3})$/i

export function hostKind(header: string | undefined, own: URL): HostKind {
  if (header === undefined) return 'other'
  if (header.toLowerCase() === own.host) return 'own'
  const name = header.replace(/:\d{1,5}$/, '')
  return LOCAL.test(name) ? 'address' : 'other'
}

/** Whether a browser says that the request comes from the page itself. Every browser with passkeys sends an Origin with a POST. */
export function isFromPage(origin: string | undefined, own: URL): boolean {
  return origin === own.origin
}
