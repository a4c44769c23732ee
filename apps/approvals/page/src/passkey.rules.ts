/** What surrounds a passkey: where one works, how it is named, and the line by which it is handed over. */

/** Why this page can ask for no passkey here; null where it can. */
export type NoKey = 'other_address' | 'address_is_a_number' | 'no_tls' | 'old_browser'

export interface Surroundings {
  /** Where the page was opened. */
  readonly origin: string
  /** Where it is meant to be opened. */
  readonly url: string
  /** What the browser takes for safe: https, or this machine's own name. */
  readonly isSecure: boolean
  readonly knowsPasskeys: boolean
}

const NUMBERS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

export function whyNoKey({ origin, url, isSecure, knowsPasskeys }: Surroundings): NoKey | null {
  if (origin !== url) return 'other_address'
  if (NUMBERS.test(new URL(url).hostname)) return 'address_is_a_number'
  if (!isSecure) return 'no_tls'
  return knowsPasskeys ? null : 'old_browser'
}

export function base64url(bytes: Uint8Array): string {
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The beginning of a hash as people compare it: 20 digits in groups of four. */
export const shortForm = (hex: string): string => hex.slice(0, 20).replace(/(.{4})(?=.)/g, '$1 ')

export interface NewKey {
  /** Member number of its operator. */
  readonly member: number
  readonly name: string
  readonly origin: string
  readonly credentialId: string
  /** SPKI in DER, base64url. */
  readonly publicKey: string
  /** Of COSE: -7, -257 or -8. */
  readonly algorithm: number
}

/** The line that registers a key on the signer's machine. */
export function keyLine({ member, name, origin, credentialId, publicKey, algorithm }: NewKey): string {
  const text = JSON.stringify({ member, name, origin, credentialId, publicKey, algorithm })
  return `avalkey1.${base64url(new TextEncoder().encode(text))}`
}

/** The operator that a key names as its own; null where it is none of ours. */
export function operatorOf(userHandle: Uint8Array | null): string | null {
  const text = userHandle === null ? '' : new TextDecoder().decode(userHandle)
  return /^[1-9]\d{0,17}$/.test(text) ? text : null
}
