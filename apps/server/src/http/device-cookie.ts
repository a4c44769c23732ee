/** The cookie of a known device. */
import type { FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'
import { cookieText, installationName, tokenIn } from './cookies.ts'

/** Half a year. */
const LIFETIME_SECONDS = 180 * 24 * 3600

/** Where browsers take a `Secure` cookie without TLS. */
const OWN_MACHINE = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i

type Place = Pick<Config, 'publicUrl' | 'jwtKey'>

/** On plain HTTP elsewhere a browser drops a `Secure` cookie, and the device would never be known. */
function isSecure({ publicUrl }: Place, host: string): boolean {
  const url = new URL(publicUrl)
  return url.protocol === 'https:' || (OWN_MACHINE.test(url.host) && OWN_MACHINE.test(host))
}

const nameOf = (place: Place, host: string) =>
  `${isSecure(place, host) ? '__Host-' : ''}aval-device-${installationName(place.jwtKey)}`

/** What the device holds; null where it holds nothing. */
export function readDeviceCookie(place: Place, { headers, host }: FastifyRequest): string | null {
  return tokenIn(headers.cookie, nameOf(place, host))
}

export function deviceCookie(place: Place, { host }: FastifyRequest, token: string): string {
  const rest = isSecure(place, host) ? 'Path=/; Secure' : 'Path=/api/auth'
  return cookieText(nameOf(place, host), token, LIFETIME_SECONDS, rest)
}
