import type { ReferralStatus } from '@aval/contract'
import type { Db } from '@aval/db'
import { selectCounted } from './downline.sql.ts'
import { listReferralsBy, selectReferrals, selectRoot } from './genealogy.sql.ts'

/** The member without a sponsor; null before there is one. */
export function findRoot(db: Db): Promise<bigint | null> {
  return selectRoot(db)
}

interface ReferralsWanted {
  /** Undefined for all of them. */
  readonly status?: ReferralStatus | undefined
  readonly pageSize: number
  readonly offset: number
}

/** A page of those whom the member introduced, newest first. */
export async function listReferrals(db: Db, memberId: bigint, { status, pageSize, offset }: ReferralsWanted) {
  if (status !== undefined) return listReferralsBy(db, memberId, status, { limit: pageSize, offset })
  const { direct } = await selectCounted(db, memberId)
  const results = await selectReferrals(db, memberId, direct, pageSize, offset)
  return { count: direct, results }
}

export type ReferralRow = Awaited<ReturnType<typeof listReferrals>>['results'][number]
