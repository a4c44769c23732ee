/** Where a passkey works. The rest of passkeys is fetched when one is asked for. */

/** Why this page can ask for no passkey; null where it can. */
export type NoPasskey = 'other_address' | 'address_is_a_number' | 'no_tls' | 'old_browser'

export interface Surroundings {
  /** Where the page was opened. */
  readonly origin: string
  /** Where passkeys work, as the server says. */
  readonly own: string
  /** What the browser takes for safe: https, or this machine's own name. */
  readonly isSecure: boolean
  readonly knowsPasskeys: boolean
}

const NUMBERS = /^(\d{1,3}(\.\d{1,3}){3}|\[[0-9a-f:.]+\])$/i

export function whyNoPasskey({ origin, own, isSecure, knowsPasskeys }: Surroundings): NoPasskey | null {
  if (NUMBERS.test(new URL(own).hostname)) return 'address_is_a_number'
  if (origin !== own) return 'other_address'
  if (!isSecure) return 'no_tls'
  return knowsPasskeys ? null : 'old_browser'
}

/** @param own where passkeys work; this page's own address where nobody has said it yet */
export const whyNoPasskeyHere = (own: string = location.origin): NoPasskey | null =>
  whyNoPasskey({
    origin: location.origin,
    own,
    isSecure: isSecureContext,
    knowsPasskeys: typeof PublicKeyCredential === 'function',
  })
