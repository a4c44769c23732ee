import { type Availability, emailInput, usernameInput } from '@aval/contract'
import type { Db } from '@aval/db'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { isReserved, publicName, readRefCode } from './registration.rules.ts'
import { selectInviter, selectTaken } from './registration.sql.ts'

/** The member of a registration link. @throws Refusal `not_found` */
export async function findInviter(db: Db, text: string): Promise<{ name: string; ref_code: string }> {
  const code = readRefCode(text)
  const member = code?.kind === 'member' ? await selectInviter(db, code.code) : undefined
  if (member === undefined) throw new Refusal('not_found')
  return { name: publicName(member), ref_code: member.ref_code }
}

/**
 * Whether these are free to register with. Another visitor may be faster: only registering decides.
 * @returns null for what was not asked about
 */
export async function findAvailability(
  db: Db,
  wanted: { readonly username?: string | undefined; readonly email?: string | undefined },
): Promise<Availability> {
  const username = usernameInput.safeParse(wanted.username)
  const email = emailInput.safeParse(wanted.email)
  const taken = await selectTaken(db, fold(username.data ?? ''), fold(email.data ?? ''))
  if (isReserved(username.data ?? '')) taken.push('username')
  const stateOf = (kind: 'username' | 'email', isValid: boolean) => {
    if (wanted[kind] === undefined) return null
    if (!isValid) return 'invalid'
    return taken.includes(kind) ? 'taken' : 'free'
  }
  return { username: stateOf('username', username.success), email: stateOf('email', email.success) }
}
