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
