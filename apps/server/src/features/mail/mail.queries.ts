import type { Db } from '@aval/db'
import { countUnsent } from './mail.sql.ts'

/** How many messages wait to be sent, and how many were given up. */
export function countMailBacklog(db: Db): Promise<{ queued: number; given_up: number }> {
  return countUnsent(db)
}
