import type { MemberActs } from '@aval/contract'
import type { Db } from '@aval/db'
import { selectOpenRelease } from './factor-release.sql.ts'

/** A release that waits for another operator; null where none does. */
export async function findOpenRelease(
  db: Db,
  memberId: bigint,
  operatorId: bigint,
  now: Date,
): Promise<MemberActs['release']> {
  const open = await selectOpenRelease(db, memberId, now)
  if (open === undefined) return null
  const { by, reason, identified, askedAt, endsAt, askedBy } = open
  const own = askedBy === operatorId
  return { by, reason, identified, at: askedAt.toISOString(), ends_at: endsAt.toISOString(), own }
}
