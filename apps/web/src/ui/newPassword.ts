/** What a new password has to be. Names of the messages under `ui:password.rule`. */
export type PasswordRule = 'required' | 'short' | 'long' | 'differ'

export const LEAST = 8
export const MOST = 20

export const isLongEnough = (password: string) => password.length >= LEAST && password.length <= MOST

export function checkPassword(password: string): PasswordRule | null {
  if (password === '') return 'required'
  if (password.length < LEAST) return 'short'
  return password.length > MOST ? 'long' : null
}

export function checkRepeat(repeated: string, password: string): PasswordRule | null {
  if (repeated === '') return 'required'
  return repeated === password ? null : 'differ'
}

const COMMON = /^(password|contrase|qwerty|abc123|letmein|admin|welcome|iloveyou|123456|tequiero)/i

/**
 * From 0, nothing typed or too short, to 4, hard to guess: a help while typing, not a rule.
 * Judges length, kinds of characters, repetition, and whether it is built from what the member just typed.
 *
 * @param known the username, the e-mail and names, which an attacker tries first
 */
export function strengthOf(password: string, known: readonly string[]) {
  if (password.length < 8) return password === '' ? 0 : 1
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  const distinct = new Set(password).size
  const lower = password.toLowerCase()
  const guessable =
    COMMON.test(password) ||
    distinct < 5 ||
    known.some((word) => word.length >= 4 && lower.includes(word.toLowerCase()))
  if (guessable) return 1
  const points = kinds + (password.length >= 12 ? 1 : 0) + (password.length >= 16 ? 1 : 0)
  if (points <= 2) return 2
  return points >= 4 ? 4 : 3
}
