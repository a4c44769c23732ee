/**
 * Members' passkeys.
 *
 * Terms. A *passkey* is a key that a device keeps for one relying party and uses after it recognised its owner. The
 * *relying party* is the host name at which people reach the product: browsers keep passkeys for names, never for IP
 * addresses. A *challenge* is what a passkey is asked to sign; it is ours, good for five minutes, and taken by its first
 * answer. The *counter* is how often a passkey says it was used: one that does not rise means that there is a copy.
 * Passkeys that are kept on several devices always say zero.
 */

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
export const CHALLENGE_LIFETIME = 5 * MINUTE
/** More than anybody has devices. */
export const MOST_PASSKEYS = 10
/** In the order in which they are preferred: ES256, EdDSA, RS256. */
export const ALGORITHMS = [-7, -8, -257] as const
export type Algorithm = (typeof ALGORITHMS)[number]

export const isAlgorithm = (value: unknown): value is Algorithm =>
  ALGORITHMS.some((algorithm) => algorithm === value)

/** Entries about refused passkeys in a day of a member's log. The log only grows, and anybody can send a wrong answer. */
export const REFUSALS_LOGGED = 20
export const REFUSALS_WITHIN = DAY

/**
 * "This was not me" takes back passkeys that were added since the week before the mail: a thief who was in the account when
 * it was written may have added one some days before.
 */
export const NOT_ME_REACH = 7 * DAY

export interface RelyingParty {
  /** The host name. */
  readonly id: string
  readonly origin: string
}

const NUMBERS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

/** @returns null where people reach the product at an IP address */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { hostname, origin } = new URL(publicUrl)
  return NUMBERS.test(hostname) ? null : { id: hostname, origin }
}

/** What a passkey is called whose member gave it no name. */
export function defaultName({ browser, system }: { browser: string | null; system: string | null }): string {
  return [browser, system].filter((name) => name !== null).join(' · ') || 'Passkey'
}

/** What a passkey keeps as the number of its member, in base64url. */
export const userHandleOf = (memberId: bigint): Uint8Array<ArrayBuffer> =>
  new Uint8Array(new TextEncoder().encode(String(memberId)))
