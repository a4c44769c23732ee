import type { PlacementSide, Referral, ReferralStatus } from '@aval/contract'
import type { Db } from '@aval/db'
import { selectCounted } from './downline.sql.ts'
import {
  listReferralsBy,
  type ReferralRow,
  selectPreference,
  selectReferrals,
  selectRoot,
} from './genealogy.sql.ts'

/** The member without a sponsor; null before there is one. */
export function findRoot(db: Db): Promise<bigint | null> {
  return selectRoot(db)
}

/** Where the member's next referrals are placed. */
export async function findPlacementSide(db: Db, memberId: bigint): Promise<PlacementSide> {
  return (await selectPreference(db, memberId)) as PlacementSide
}

const presentReferral = (row: ReferralRow): Referral => ({
  id: Number(row.id),
  date: row.joined_at.toISOString(),
  status: row.principal > 0n,
  is_master_code: row.is_master,
  referred_username: row.username,
  referred_email: row.email,
  referred_phone_number: row.phone_number,
})

interface Wanted {
  /** Undefined for all of them. */
  readonly status?: ReferralStatus | undefined
  readonly pageSize: number
  readonly offset: number
}

/** A page of the members whom the member introduced, newest first. */
export async function listReferrals(db: Db, memberId: bigint, { status, pageSize: limit, offset }: Wanted) {
  if (status !== undefined) {
    const { count, results } = await listReferralsBy(db, memberId, status, { limit, offset })
    return { count, results: results.map(presentReferral) }
  }
  const { direct: count } = await selectCounted(db, memberId)
  const results = await selectReferrals(db, memberId, count, limit, offset)
  return { count, results: results.map(presentReferral) }
}
