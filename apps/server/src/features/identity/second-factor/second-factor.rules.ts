/**
 * Two-factor: what is a code, and how often one may be tried.
 *
 * Terms. A *step* is a half minute of the clock; each step of a secret has one code. A code is good in its own step and in
 * the one before and after it, for clocks that differ, and is good *once*: a step that is not later than the last one used
 * is a replay. A *challenge* is a sign-in whose password was right and whose code is still to come. A *recovery code*
 * signs in once where the phone is lost; it decides nothing.
 */
export const STEP_SECONDS = 30
/** Steps before and after the present one whose codes are taken. */
export const WINDOW = 1
export const CODE_DIGITS = 6

const MINUTE = 60_000
export const CHALLENGE_LIVES = 5 * MINUTE
/** Codes tried on one challenge. */
export const CHALLENGE_TRIES = 5

/**
 * Codes tried in one place: the sign-ins of a member, or one session. Three codes of a million are good at a time, so
 * forty tries an hour take about a year to meet one, and all that time they stand in the audit trail.
 */
export const TRIES = { most: 10, within: 15 * MINUTE } as const

export const RECOVERY_CODES = 10
export const RECOVERY_LENGTH = 10
export const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

export type Typed = { readonly kind: 'code' | 'recovery'; readonly text: string } | null

/** What somebody typed, without the spaces and dashes that codes are shown with; null when it can be no code at all. */
export function readTyped(typed: string): Typed {
  const text = typed.replace(/[\s-]/g, '').toLowerCase()
  if (/^\d{6}$/.test(text)) return { kind: 'code', text }
  if (text.length !== RECOVERY_LENGTH) return null
  if (![...text].every((letter) => RECOVERY_LETTERS.includes(letter))) return null
  return { kind: 'recovery', text }
}

/** Seconds until codes may be tried again; 0 when one more may be. @param tries the present one included */
export function secondsToWait(tries: number, since: Date, now: Date): number {
  if (tries <= TRIES.most) return 0
  return Math.max(1, Math.ceil((since.getTime() + TRIES.within - now.getTime()) / 1000))
}
