/**
 * Secret codes: seven digits by e-mail that let a signed-in member do one thing.
 *
 * Terms. A code is *live* until it is used, expires, is replaced by the next one of its purpose, or *dies* of five wrong
 * tries. Its *binding* says what alone it is good for, in the words of whoever asks for it; an empty one leaves that to
 * its purpose. Beyond that it is good only in the session and on the device (the user agent) that asked for it.
 */
const MINUTE = 60_000
export const CODE_LIVES = 10 * MINUTE
export const MOST_TRIES = 5
export const CODE_DIGITS = 7
export const CODE_COUNT = 10 ** CODE_DIGITS

/** @param draw 0 to 9,999,999, each as likely as the others */
export function codeOf(draw: number): string {
  if (!Number.isInteger(draw) || draw < 0 || draw >= CODE_COUNT) throw new RangeError('no such code')
  return String(draw).padStart(CODE_DIGITS, '0')
}

/**
 * What somebody typed or pasted as a code, without the spaces of its e-mail; null when it can be none. A client that
 * sends a number has lost the zeros in front.
 */
export function readCode(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{1,7}$/.test(digits) ? digits.padStart(CODE_DIGITS, '0') : null
}

export interface StoredCode {
  readonly binding: string
  readonly sessionId: string | null
  readonly device: string
  readonly expiresAt: Date
  readonly wrongTries: number
  readonly usedAt: Date | null
}

/** What a code is tried for, and from where. */
export interface CodeTry {
  /** Whether the digits are the stored ones. */
  readonly matches: boolean
  /** The bindings that this would be good under. */
  readonly bindings: readonly string[]
  readonly sessionId: string | null
  readonly device: string
}

/**
 * `right`; `none`: there is no live code; `wrong` digits; right digits `for_other` things, or `elsewhere`. The last three
 * count as wrong tries: somebody guesses, or somebody else has read the e-mail.
 */
export type CodeVerdict = 'right' | 'none' | 'wrong' | 'for_other' | 'elsewhere'

/** @param now system time */
export function judgeCode(stored: StoredCode | undefined, tried: CodeTry, now: Date): CodeVerdict {
  if (stored === undefined || stored.usedAt !== null) return 'none'
  if (stored.wrongTries >= MOST_TRIES || now.getTime() >= stored.expiresAt.getTime()) return 'none'
  if (!tried.matches) return 'wrong'
  const isHere = stored.sessionId === null || stored.sessionId === tried.sessionId
  const isSameDevice = stored.device === '' || stored.device === tried.device
  if (!isHere || !isSameDevice) return 'elsewhere'
  return tried.bindings.includes(stored.binding) ? 'right' : 'for_other'
}
