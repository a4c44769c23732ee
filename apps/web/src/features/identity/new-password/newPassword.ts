/** What a new password has to be. Names of the messages under `identity/new-password:rule`. */
export type PasswordRule = 'required' | 'short' | 'long' | 'differ'

export const LEAST = 8
export const MOST = 128
/** What a field takes in: no password of so many characters has more, however a keyboard composes them. */
export const MOST_TYPED = 1024

/** Characters as people count them: an accent that a keyboard types by itself is none. */
const charactersOf = (password: string) => [...password.normalize('NFC')].length

export function checkPassword(password: string): PasswordRule | null {
  if (password === '') return 'required'
  const characters = charactersOf(password)
  if (characters < LEAST) return 'short'
  return characters > MOST ? 'long' : null
}

export const isLongEnough = (password: string) => checkPassword(password) === null

export function checkRepeat(repeated: string, password: string): PasswordRule | null {
  if (repeated === '') return 'required'
  return repeated === password ? null : 'differ'
}

/** What makes a password weak. Names of the messages under `identity/new-password:advice`. */
export type Advice = 'common' | 'keys' | 'repeat' | 'sequence' | 'date' | 'personal' | 'longer'

/** From 1, guessed at once, to 4: a help while typing, not a rule. Advice only where it is weak. */
export interface Strength {
  readonly level: number
  readonly advice: Advice | null
}
