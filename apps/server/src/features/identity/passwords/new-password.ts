/** Refuses new passwords that are guessed first, before they are hashed. */
import type { RefusalCode } from '@aval/contract'
import { Refusal } from '../../../core/refusal.ts'
import { isCommonPassword } from './common-passwords.ts'
import { type Owner, passwordFault } from './new-password.rules.ts'

/** What a call that takes a new password refuses, besides its length. */
export const NEW_PASSWORD_REFUSALS = [
  'password_one_character',
  'password_common',
  'password_personal',
] as const

export const passwordRefusal = (code: RefusalCode): Refusal =>
  new Refusal(code, {}, [{ path: 'password', key: code, params: {} }])

/** Members as they are stored. */
export const ownerOf = (member: {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}): Owner => ({
  username: member.username,
  email: member.email,
  firstName: member.first_name,
  lastName: member.last_name,
})

/** @throws Refusal `password_one_character`, `password_personal` */
export function requireUnlikeOwner(password: string, owner: Owner | null): void {
  const fault = passwordFault(password, owner)
  if (fault !== null) throw passwordRefusal(fault)
}

/**
 * @param owner null where nobody may be told whose account it is
 * @throws Refusal as `requireUnlikeOwner`, and `password_common`
 */
export async function requireGoodPassword(password: string, owner: Owner | null): Promise<void> {
  requireUnlikeOwner(password, owner)
  if (await isCommonPassword(password)) throw passwordRefusal('password_common')
}
