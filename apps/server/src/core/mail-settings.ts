/** Mail settings of the environment: the server and the sender. */
import { isThisMachine } from '@aval/db/encrypted'

/** A mail server to hand messages to. */
export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** TLS from the first byte (`smtps:`); otherwise by STARTTLS. */
  readonly secure: boolean
  /** STARTTLS is required: the server is another machine, and mail carries codes. */
  readonly requireTls: boolean
  readonly credentials: { readonly user: string; readonly pass: string } | null
}

export interface Sender {
  readonly name: string
  readonly address: string
}

/** `smtp://user:password@host:587` or `smtps://…`, credentials percent-encoded; null when it is something else. */
export function readSmtpUrl(text: string): SmtpServer | null {
  const url = URL.parse(text)
  if (url === null || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return null
  // An option that is ignored would be believed to work.
  if (!/^\/?$/.test(url.pathname) || url.search !== '' || url.hash !== '') return null
  if ((url.username === '') !== (url.password === '')) return null
  const secure = url.protocol === 'smtps:'
  const port = url.port === '' ? (secure ? 465 : 587) : Number(url.port)
  if (port === 0) return null
  try {
    const user = decodeURIComponent(url.username)
    const pass = decodeURIComponent(url.password)
    const credentials = user === '' ? null : { user, pass }
    const requireTls = !secure && !isThisMachine(url.hostname)
    return { host: url.hostname.replace(/^\[|\]$/g, ''), port, secure, requireTls, credentials }
  } catch {
    return null
  }
}

const PLAIN = /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/i
const NAMED = /^"?([^"<>\p{C}]{1,100}?)"?\s*<([^<>]+)>$/u

/** `office@example.com` or `Aval <office@example.com>`; null when it is something else. */
export function readSender(text: string): Sender | null {
  const [, name = '', inside = text] = NAMED.exec(text) ?? []
  return PLAIN.test(inside) ? { name: name.trim(), address: inside } : null
}
