import type { Db } from '@aval/db'
import { fold } from '../../../core/fold.rules.ts'
import { findMember, selectIdentifierOwner } from './members.sql.ts'

/** The number of the member with this username, in any case; null when there is none. */
export function findByUsername(db: Db, username: string): Promise<bigint | null> {
  return selectIdentifierOwner(db, 'username', fold(username))
}

/** The number of the member whose e-mail this is now, in any case; null when it is nobody's. */
export function findByEmail(db: Db, email: string): Promise<bigint | null> {
  return selectIdentifierOwner(db, 'email', fold(email))
}

/** In which time zone a member reads times; null where none was said, or there is no such member. */
export async function timeZoneOf(db: Db, memberId: bigint): Promise<string | null> {
  return (await findMember(db, memberId))?.time_zone ?? null
}
