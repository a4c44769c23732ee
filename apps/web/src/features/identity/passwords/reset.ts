/** How the pages of a forgotten password hand on what was typed. */
import { plainTyped } from '@aval/contract/typed'

interface Place {
  readonly search: string
  readonly state: unknown
}

function stateOf(place: Place, name: string): unknown {
  const { state } = place
  return typeof state === 'object' && state !== null ? (state as Record<string, unknown>)[name] : undefined
}

/** An e-mail that stands in the address, or was typed on the page before; empty where there is none. */
export function typedEmail(place: Place): string {
  const email = new URLSearchParams(place.search).get('email') ?? stateOf(place, 'identity')
  return typeof email === 'string' && email.includes('@') && email.length <= 254 ? plainTyped(email) : ''
}

/** What stands behind the # of the e-mail's link, without what a mail program or a person put behind it, where no server and no other site sees it; null where there is none. */
export function linkToken(hash: string): string | null {
  return /^#([\w-]{20,200})(?:[^\w%-]|%..)*$/.exec(hash)?.[1] ?? null
}

/** Where the code is typed. */
export function resetPath(email: string): string {
  const text = plainTyped(email)
  return text === '' ? '/auth/reset-password' : `/auth/reset-password?email=${encodeURIComponent(text)}`
}

/** What the server said when a code was asked for on the page before, and when; null where the page was opened otherwise. */
export function sentFrom(place: Place): { sentence: string; at: number } | null {
  const [sentence, at] = [stateOf(place, 'sentence'), stateOf(place, 'sentAt')]
  return typeof sentence === 'string' && typeof at === 'number' ? { sentence, at } : null
}

/** How soon another code can be asked for: mail takes a moment, and few are sent. */
export const RESEND_AFTER = 60_000
