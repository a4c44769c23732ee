/**
 * Our cookies. A host shares them over all its ports, so each is named after its installation: two on one machine do not take each
 * other's. `__Host-` makes the browser refuse one that came without TLS, or from a neighbouring host; it asks for `Secure` and `Path=/`.
 */
import { keyFor } from '../core/seal.ts'

const names = new WeakMap<Uint8Array, string>()

/** Tells installations apart, and gives nothing of the key away that it is made from. @param jwtKey of the installation */
export function installationName(jwtKey: Uint8Array): string {
  const name = names.get(jwtKey) ?? keyFor(jwtKey, 'names of cookies', 6).toString('hex')
  names.set(jwtKey, name)
  return name
}

const TOKEN = /^[\w-]{43}$/

/** The token in a cookie; null where there is none. Node bounds the length of the header. */
export function tokenIn(header: string | undefined, cookie: string): string | null {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=')
    if (name === cookie && TOKEN.test(value)) return value
  }
  return null
}

/** No script reads it, and no other site's page makes the browser send it. @param rest further attributes */
export function cookieText(name: string, value: string, seconds: number, rest: string): string {
  return `${name}=${value}; Max-Age=${seconds}; HttpOnly; SameSite=Strict; ${rest}`
}
