/** What every answer of this process carries, those included that no hook has seen. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  'origin-agent-cluster': '?1',
  'permissions-policy':
    'publickey-credentials-get=(self), publickey-credentials-create=(self), clipboard-write=(self), camera=(), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cache-control': 'no-store',
}

/** @param url where operators open the page */
export function headersOf({ protocol }: URL): Readonly<Record<string, string>> {
  if (protocol !== 'https:') return HEADERS
  return { ...HEADERS, 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
}

/** Answers what never became a request. */
export function onNoRequest(headers: Readonly<Record<string, string>>) {
  const dressed = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return (error: Error & { readonly code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    const body = JSON.stringify({ code: 'bad_request' })
    const head = [
      `HTTP/1.1 400 ${STATUS_CODES[400]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${body.length}`,
      'connection: close',
      ...dressed,
    ]
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  }
}
