import type { Db } from '@aval/db'
import { fold } from '../../../core/fold.rules.ts'
import { selectIdentifierOwner } from './members.sql.ts'

/** The number of the member with this username, in any case; null when there is none. */
export function findByUsername(db: Db, username: string): Promise<bigint | null> {
  return selectIdentifierOwner(db, 'username', fold(username))
}
