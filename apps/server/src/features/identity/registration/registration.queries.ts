import { type Availability, usernameInput } from '@aval/contract'
import type { Db } from '@aval/db'
import { Refusal } from '../../../core/refusal.ts'
import { selectIdentifierOwner } from '../members/members.sql.ts'
import { isReservedUsername } from '../names/reserved.rules.ts'
import { skeletonOf } from '../names/skeleton.rules.ts'
import { publicName, readRefCode } from './registration.rules.ts'
import { selectInviter } from './registration.sql.ts'

/** The member of a registration link. @throws Refusal `not_found` */
export async function findInviter(db: Db, text: string): Promise<{ name: string; ref_code: string }> {
  const code = readRefCode(text)
  const member = code?.kind === 'member' ? await selectInviter(db, code.code) : undefined
  if (member === undefined) throw new Refusal('not_found')
  return { name: publicName(member), ref_code: member.ref_code }
}

/**
 * Whether a username is free to register with. Another visitor may be faster: only registering decides.
 * @returns null where none is asked about; an e-mail is never told about
 */
export async function findAvailability(db: Db, wanted: string | undefined): Promise<Availability> {
  return { username: wanted === undefined ? null : await standingOf(db, wanted), email: null }
}

async function standingOf(db: Db, wanted: string): Promise<Availability['username']> {
  const { data: username } = usernameInput.safeParse(wanted)
  if (username === undefined) return 'invalid'
  if (isReservedUsername(username)) return 'reserved'
  return (await selectIdentifierOwner(db, 'skeleton', skeletonOf(username))) === null ? 'free' : 'taken'
}
