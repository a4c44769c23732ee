/**
 * The second factor: what a code is, and how often one may be tried.
 *
 * Terms. A *step* is half a minute; each step of a TOTP secret has one code. A code is valid in its own step and the two
 * next to it, for clocks that differ, and *once*: a step not later than the last one used is a replay. A *challenge* is a
 * sign-in whose password was right and whose code is still missing. A *recovery code* signs in once when the phone is
 * lost; it confirms nothing.
 */
export const STEP_SECONDS = 30
/** Steps before and after the current one whose codes are accepted. */
export const WINDOW = 1
export const CODE_DIGITS = 6

const MINUTE = 60_000
export const CHALLENGE_LIFETIME = 5 * MINUTE
/** Codes tried on one challenge. */
export const CHALLENGE_TRIES = 5

/**
 * Codes tried in one place: the sign-ins of a member, or one session. Three codes of a million are valid at a time, so
 * forty tries an hour need about a year to hit one, and every try is in the audit trail.
 */
export const TRIES = { limit: 10, within: 15 * MINUTE } as const

export const RECOVERY_CODES = 10
export const RECOVERY_LENGTH = 10
export const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

export type TypedCode = { readonly kind: 'totp' | 'recovery'; readonly text: string } | null

/** What was typed, without the spaces and dashes that codes are shown with; null when it can be no code. */
export function readTyped(typed: string): TypedCode {
  const text = typed.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(text)) return { kind: 'totp', text }
  if (text.length !== RECOVERY_LENGTH) return null
  if (![...text].every((letter) => RECOVERY_LETTERS.includes(letter))) return null
  return { kind: 'recovery', text }
}

/** Seconds until codes may be tried again; 0 when one may be now. @param tries the current one included */
export function secondsToWait(tries: number, since: Date, now: Date): number {
  if (tries <= TRIES.limit) return 0
  return Math.max(1, Math.ceil((since.getTime() + TRIES.within - now.getTime()) / 1000))
}
