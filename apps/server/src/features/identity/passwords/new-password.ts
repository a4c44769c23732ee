/** Refuses new passwords that are guessed first, before they are hashed. */
import type { RefusalCode } from '@aval/contract'
import type { Config } from '../../../config.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isBreached } from './breached-passwords.ts'
import { isCommonPassword } from './common-passwords.ts'
import { type Owner, passwordFault } from './new-password.rules.ts'

/** What a call that takes a new password refuses, besides its length. */
export const NEW_PASSWORD_REFUSALS = [
  'password_one_character',
  'password_common',
  'password_breached',
  'password_personal',
] as const

type Installed = { readonly config: Pick<Config, 'breachedPasswordsUrl' | 'publicUrl'> }
type Named = Omit<Owner, 'host'>

export const passwordRefusal = (code: RefusalCode): Refusal =>
  new Refusal(code, {}, [{ path: 'password', key: code, params: {} }])

/** Members as they are stored. */
export const ownerOf = (member: {
  readonly username: string
  readonly email: string
  readonly first_name: string
  readonly last_name: string
}): Named => ({
  username: member.username,
  email: member.email,
  firstName: member.first_name,
  lastName: member.last_name,
})

/** @throws Refusal `password_one_character`, `password_personal` */
export function requireUnlikeOwner({ config }: Installed, password: string, named: Named | null): void {
  const owner = named === null ? null : { ...named, host: new URL(config.publicUrl).hostname }
  const fault = passwordFault(password, owner)
  if (fault !== null) throw passwordRefusal(fault)
}

/**
 * @param owner null where nobody may be told whose account it is
 * @throws Refusal as `requireUnlikeOwner`, `password_common`, and `password_breached` where somebody is asked about it
 */
export async function requireGoodPassword(
  context: Installed,
  password: string,
  owner: Named | null,
): Promise<void> {
  requireUnlikeOwner(context, password, owner)
  if (await isCommonPassword(password)) throw passwordRefusal('password_common')
  const { breachedPasswordsUrl: url } = context.config
  if (url !== null && (await isBreached(url, password))) throw passwordRefusal('password_breached')
}
