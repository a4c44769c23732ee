/** When a message is tried again, when it is too late, and what an address may contain. */
import { EMAIL_CODE_LIFETIME } from '../../core/email-code.rules.ts'

const FIRST_DELAY_MS = 5000
const LONGEST_DELAY_MS = 15 * 60_000
/** The delays between this many attempts add up to three days and an hour. */
export const MOST_ATTEMPTS = 300

/**
 * The next attempt after `attempts` failed, the last of them at `now`: after five seconds, then twice as long each time, up
 * to a quarter of an hour. Null after the last attempt.
 */
export function nextTry(attempts: number, now: Date): Date | null {
  if (attempts >= MOST_ATTEMPTS) return null
  const delay = Math.min(LONGEST_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(attempts - 1, 20))
  return new Date(now.getTime() + delay)
}

/** Whether the code in a message has expired: the message would only confuse its reader. */
export function isTooLate(carriesCode: boolean, createdAt: Date, now: Date): boolean {
  return carriesCode && now.getTime() >= createdAt.getTime() + EMAIL_CODE_LIFETIME
}

/** One mailbox, in any script, without characters that have a meaning in SMTP or in a header. */
const ADDRESS = /^[^\s<>()[\]\\,;:"@\p{C}]{1,64}@[^\s<>()[\]\\,;:"@\p{C}]{1,255}$/u

export function isAddress(text: string): boolean {
  return ADDRESS.test(text)
}

/** One line of readable text: invisible characters are removed, and it is cut to `most` characters. */
export function oneLine(text: string, most: number): string {
  const line = text
    .replace(/[\s\p{Z}]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim()
  return line.length <= most ? line : `${line.slice(0, most - 1)}…`
}
