/** What a new password may not be, as far as it needs nothing but the password and its owner. */

/**
 * What anybody tries first here: the product's name, what it is about, and who works with it. Documented in
 * `docs/security/design.md`; the installation's own address comes to it.
 */
export const OF_PRODUCT = [
  ...['aval', 'usdt', 'tether', 'tron', 'trc20', 'tronlink'],
  ...['fundator', 'fundador', 'operador', 'operator', 'miembro', 'member', 'admin', 'administrador'],
  ...['inversion', 'invertir', 'investment', 'retiro', 'retiros', 'withdrawal', 'binario', 'binary'],
]
/** Shorter names stand in too many good passwords. */
const SHORTEST_NAME = 3
/** What people add to a name: a year, a date, an initial or two. Punctuation does not count. */
const MOST_LETTERS = 2
const MOST_DIGITS = 6

/** Whose password it is going to be; empty where it is not known. */
export interface Owner {
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  /** The host at which members reach this installation. */
  readonly host: string
}

/** Without case and accents. */
const plain = (text: string) => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase()

const lettersAndDigits = (text: string) => plain(text).replace(/[^\p{L}\p{N}]/gu, '')

/** Names in a host: `office` and `acme` of `office.acme.com`. */
const SHORTEST_LABEL = 4
const labelsOf = (host: string) =>
  host
    .split('.')
    .slice(0, -1)
    .filter((label) => label.length >= SHORTEST_LABEL)

/** The words of the place, the owner's names as they are, and each of their words; the longest first. */
function namesOf({ username, email, firstName, lastName, host }: Owner): string[] {
  const mailbox = email.slice(0, Math.max(email.lastIndexOf('@'), 0))
  const whole = [...OF_PRODUCT, ...labelsOf(host), username, email, mailbox, firstName, lastName]
  const words = [username, mailbox, firstName, lastName].flatMap((text) =>
    plain(text).split(/[^\p{L}\p{N}]+/u),
  )
  const names = [...whole, ...words].map(lettersAndDigits)
  const long = names.filter((name) => [...name].length >= SHORTEST_NAME && /\p{L}/u.test(name))
  return [...new Set(long)].sort((a, b) => b.length - a.length)
}

/** Whether it is made of the owner's names, or the place's, and little else. */
function isPersonal(password: string, owner: Owner): boolean {
  const text = lettersAndDigits(password)
  let rest = text
  for (const name of namesOf(owner)) rest = rest.replaceAll(name, '')
  if (rest === text) return false
  const digits = rest.replace(/[^\p{N}]/gu, '').length
  return [...rest].length - digits <= MOST_LETTERS && digits <= MOST_DIGITS
}

export type PasswordFault = 'password_one_character' | 'password_personal'

/** @param owner null while it is not known, or must not be told */
export function passwordFault(password: string, owner: Owner | null): PasswordFault | null {
  if (new Set(password.normalize('NFC')).size === 1) return 'password_one_character'
  return owner !== null && isPersonal(password, owner) ? 'password_personal' : null
}

export const isSamePassword = (one: string, other: string): boolean =>
  one.normalize('NFC') === other.normalize('NFC')

/** What stands behind a word in a common password: `1`, `123`, `2024!`. */
const TAIL = /^(.*\p{L})[^\p{L}]{1,5}$/su
const SHORTEST_WORD = 3

/**
 * What is looked up among common passwords: the password without its case, and its word without a short tail of digits and
 * punctuation, so that `Password1!` is as common as `password`.
 */
export function lookedUp(password: string): { readonly whole: string; readonly word: string | null } {
  const whole = password.normalize('NFC').toLowerCase()
  const word = TAIL.exec(whole)?.[1] ?? null
  return { whole, word: word !== null && [...word].length >= SHORTEST_WORD ? word : null }
}
