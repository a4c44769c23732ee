import type { Db } from '@aval/db'
import { Refusal } from '../../../core/refusal.ts'
import { selectByUsername, selectCurrentUser, selectInviter } from '../members/members.sql.ts'
import { fold, publicName, readRefCode } from './registration.rules.ts'

export async function findCurrentUser(db: Db, memberId: bigint) {
  const user = await selectCurrentUser(db, memberId)
  if (user === undefined) throw new Error(`member ${memberId} has a session and no row`)
  return user
}

/** Who stands behind a registration link. @throws Refusal `not_found` */
export async function findInviter(db: Db, text: string): Promise<{ name: string; ref_code: string }> {
  const code = readRefCode(text)
  const member = code?.kind === 'member' ? await selectInviter(db, code.code) : undefined
  if (member === undefined) throw new Refusal('not_found')
  return { name: publicName(member), ref_code: member.ref_code }
}

/** The number of whoever is called so, in whatever case it is written; null for nobody. */
export function findByUsername(db: Db, username: string): Promise<bigint | null> {
  return selectByUsername(db, fold(username))
}
