import { plainTyped } from '@aval/contract/typed'
import type { Failure } from '../../api/failure.ts'

/** Digits of a code that an authenticator app shows. */
export const APP_DIGITS = 6

/** From this few recovery codes on, new ones are worth making. */
export const FEW_CODES = 3

/** Whether a refusal is about the code that was typed, and is said where it was typed. */
export function belongsToField(failure: Failure): boolean {
  return failure.status === 429 || /^otp_/.test(failure.code ?? '')
}

/** What a member keeps in a safe place, as a file: what it is for, and each code on a line of its own. */
export function recoveryText(title: string, hint: string, codes: readonly string[]): string {
  return `${title}\r\n\r\n${codes.join('\r\n')}\r\n\r\n${hint}\r\n`
}

/** Whether a text looks like a recovery code, as it is copied: ten letters and digits in two groups, at least one a letter. */
export function isRecoveryCode(text: string): boolean {
  const typed = plainTyped(text)
  return /^[a-z\d]{5}[ -]?[a-z\d]{5}$/i.test(typed) && /[a-z]/i.test(typed)
}
