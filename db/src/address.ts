/**
 * The address of a database. It may name several hosts, as libpq writes them:
 * `postgres://user:password@one:5432,two:5432/name?target_session_attrs=read-write`. The driver reads addresses of one host.
 */

export interface Host {
  readonly name: string
  readonly port: number
  /** The address with this host alone, as the driver reads it. */
  readonly url: string
}

export interface Address {
  readonly hosts: readonly [Host, ...Host[]]
  /** Name of the database. */
  readonly database: string
  /** Whether a server that takes no writes, a stand-by, is passed over. */
  readonly writable: boolean
}

const PORT = 5432
/** Scheme, user with password, hosts, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/s
const WRITABLE = ['read-write', 'primary']

interface Parts {
  readonly scheme: string
  readonly user: string | undefined
  readonly hosts: readonly string[]
  readonly rest: string
}

function partsOf(text: string): Parts | null {
  const [, scheme, user, hosts, rest = ''] = PARTS.exec(text) ?? []
  if (scheme === undefined || hosts === undefined) return null
  return { scheme, user, hosts: hosts.split(','), rest }
}

const written = ({ scheme, user, hosts, rest }: Parts): string =>
  `${scheme}${user === undefined ? '' : `${user}@`}${hosts.join(',')}${rest}`

/** Each host in an address of its own; null where one of them cannot be read. */
function urlsOf(parts: Parts): readonly URL[] | null {
  const urls = parts.hosts.flatMap((host) => URL.parse(written({ ...parts, hosts: [host] })) ?? [])
  return urls.length === parts.hosts.length ? urls : null
}

/** What is wrong with an address, to be said after the name of the setting; null when nothing is. */
export function problemOfAddress(text: string): string | null {
  const parts = partsOf(text)
  if (parts !== null && parts.hosts.length > 1 && parts.hosts.includes(''))
    return 'has an empty place in its list of hosts'
  const urls = parts && urlsOf(parts)
  if (parts === null || urls === null)
    return 'is no address of the form postgres://user:password@host:5432/database'
  const parameters = urls[0]?.searchParams
  const wanted = parameters?.get('target_session_attrs') ?? 'read-write'
  if (!WRITABLE.includes(wanted))
    return 'says target_session_attrs with another value than read-write or primary: Aval writes'
  if (/,/.test(`${parameters?.get('host') ?? ''}${parameters?.get('port') ?? ''}`))
    return 'lists hosts as a parameter; they are listed after the @: postgres://user:password@one:5432,two:5432/database'
  if (urls.length > 1 && (parameters?.has('host') || parameters?.has('port')))
    return 'names hosts after the @ and as a parameter: only one of them counts'
  return null
}

/** The same of the address of a replica. It takes no writes, so nothing is chosen by that. */
export function problemOfReplica(text: string): string | null {
  const parts = partsOf(text)
  if (parts !== null && parts.hosts.length > 1)
    return 'names several hosts: a replica is one, or a proxy in front of several'
  if (parts?.rest.includes('target_session_attrs'))
    return 'says target_session_attrs: a replica takes no writes'
  return problemOfAddress(text)
}

/** @throws Error that repeats nothing of the address, which holds a password */
export function readAddress(text: string): Address {
  const problem = problemOfAddress(text)
  const parts = partsOf(text)
  const [first, ...others] = (parts && urlsOf(parts)) ?? []
  if (first === undefined || problem !== null) throw new Error(`the address of the database ${problem}`)
  const urls = addressesOf(text)
  const hostOf = ({ hostname, port }: URL, place: number): Host => ({
    name: decodeURIComponent(hostname).replace(/^\[(.+)\]$/, '$1'),
    port: port === '' ? PORT : Number(port),
    url: urls[place] ?? text,
  })
  return {
    hosts: [hostOf(first, 0), ...others.map((url, place) => hostOf(url, place + 1))],
    database: decodeURIComponent(first.pathname.slice(1)),
    writable: others.length > 0 || first.searchParams.has('target_session_attrs'),
  }
}

/** The same database and hosts, signed in to as somebody else. */
export function withLogin(text: string, login: string, password: string): string {
  const parts = partsOf(text)
  if (parts === null || parts.hosts.length === 1) {
    const url = new URL(text)
    url.username = encodeURIComponent(login)
    url.password = encodeURIComponent(password)
    return url.href
  }
  return written({ ...parts, user: `${encodeURIComponent(login)}:${encodeURIComponent(password)}` })
}

/** The same address, whose sessions begin with this setting. */
export function withSetting(text: string, name: string, value: string): string {
  const parts = partsOf(text)
  if (parts === null) throw new Error(`the address of the database ${problemOfAddress(text)}`)
  const [path = '', query = ''] = parts.rest.split(/\?(.*)/s)
  const parameters = new URLSearchParams(query)
  const own = parameters.get('options')
  const setting = `-c ${name}=${value}`
  parameters.set('options', own === null ? setting : `${own} ${setting}`)
  return written({ ...parts, rest: `${path}?${parameters}` })
}

/** Its hosts as they are shown to people, without user and password. */
export const hostsOf = (text: string): string => partsOf(text)?.hosts.join(', ') ?? ''

/** The address with each of its hosts alone. */
export function addressesOf(text: string): readonly string[] {
  const parts = partsOf(text)
  return parts === null ? [text] : parts.hosts.map((host) => written({ ...parts, hosts: [host] }))
}
