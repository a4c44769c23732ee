/** Whether what travels to an address can be read or changed on the way. */
import { addressesOf } from './address.ts'

const THIS_MACHINE = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** By its name in an address, IPv6 with or without brackets. */
export const isThisMachine = (host: string): boolean => THIS_MACHINE.test(host)

/** Of an address on the web: with https, or on this machine. */
export function isEncryptedSite(address: string): boolean {
  const url = URL.parse(address)
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && isThisMachine(url.hostname))
}

/**
 * Of a database, at each of its hosts: with a certificate that is compared with the name, or on this machine: a loopback address, or the folder of a socket. Other
 * values of `sslmode` mean different things to different programs, some of them no comparison.
 */
export const isEncryptedDatabase = (address: string): boolean => addressesOf(address).every(isEncrypted)

/** The same of an address with one host. */
function isEncrypted(address: string): boolean {
  const url = URL.parse(address)
  if (url === null) return false
  // As the driver reads them: the last of several counts, and `host` before the name in the address.
  const last = (name: string) => url.searchParams.getAll(name).at(-1)
  const host = decodeURIComponent(last('host') || url.hostname)
  return last('sslmode') === 'verify-full' || host === '' || host.startsWith('/') || isThisMachine(host)
}

/** What is said of an address at which a proxy elsewhere would reach us by plain HTTP. */
export const REACHED_PLAINLY =
  'has to be localhost, where the proxy stands, unless PLAIN_HTTP is on: something else encrypts what comes'

/** What is said of a database's address that is neither. */
export const UNENCRYPTED_DATABASE = 'has to say sslmode=verify-full, unless the database is on this machine'
