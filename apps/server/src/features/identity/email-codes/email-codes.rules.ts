/**
 * E-mail codes: seven digits that let a member do one thing.
 *
 * Terms. A code is *live* until it is used, expires, is replaced by the next one of its purpose, or has been tried wrongly
 * five times. Its *binding* says what it is good for, as text chosen by the feature that asked for it; it is empty where
 * the purpose says enough. A code belongs to the member, whatever session or device asked for it: a member who signs in
 * again, or reads the mail on the phone and goes on there, holds a good one. It belongs to the address it was sent to as well: once
 * the member has another, it is good for nothing. Used, it *proves* that address: somebody who uses the account reads that mailbox.
 */
export const MAX_TRIES = 5
export const CODE_DIGITS = 7
export const CODE_COUNT = 10 ** CODE_DIGITS

/** @param draw 0 to 9,999,999, each equally likely */
export function codeOf(draw: number): string {
  if (!Number.isInteger(draw) || draw < 0 || draw >= CODE_COUNT) throw new RangeError('no such code')
  return String(draw).padStart(CODE_DIGITS, '0')
}

/** The code that was typed or pasted, without its spaces; null when it is none. A client that sends a number has lost its leading zeros. */
export function readCode(typed: string): string | null {
  const digits = typed.replace(/[\s-]/g, '')
  return /^\d{1,7}$/.test(digits) ? digits.padStart(CODE_DIGITS, '0') : null
}

export interface StoredCode {
  readonly binding: string
  readonly sentTo: string
  readonly expiresAt: Date
  readonly wrongTries: number
  readonly usedAt: Date | null
}

/** What a code is tried for. */
export interface CodeTry {
  /** Whether the digits are the stored ones. */
  readonly matches: boolean
  /** A code made for one of these is right. */
  readonly bindings: readonly string[]
  /** The member's e-mail. */
  readonly email: string
}

/**
 * `none`: there is no live code. `elsewhere`: the last one went to an address that the member has no longer. `for_other`: right digits for another binding. The last two count as wrong tries: it is a
 * guess, or the e-mail was read by a third party.
 */
export type CodeVerdict = 'right' | 'none' | 'elsewhere' | 'wrong' | 'for_other'

/** @param now system time */
export function judgeCode(stored: StoredCode | undefined, tried: CodeTry, now: Date): CodeVerdict {
  if (stored === undefined) return 'none'
  if (stored.sentTo !== tried.email) return 'elsewhere'
  if (stored.usedAt !== null) return 'none'
  if (stored.wrongTries >= MAX_TRIES || now.getTime() >= stored.expiresAt.getTime()) return 'none'
  if (!tried.matches) return 'wrong'
  return tried.bindings.includes(stored.binding) ? 'right' : 'for_other'
}

/** An e-mail address as shown to the person who asks for a code: `a…@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  return `${[...email][0] ?? ''}…${email.slice(at)}`
}
