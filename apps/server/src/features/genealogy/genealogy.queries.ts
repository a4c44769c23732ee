import type { PlacementSide } from '@aval/contract'
import type { Db } from '@aval/db'
import { selectExtraPercent, selectPreference, selectRoot } from './genealogy.sql.ts'

/** The member without a sponsor; null before there is one. */
export function findRoot(db: Db): Promise<bigint | null> {
  return selectRoot(db)
}

/** What a sponsor gets on top of the plan's first level from now on, as decimal text. */
export function extraPercentOf(db: Db, sponsorId: bigint): Promise<string> {
  return selectExtraPercent(db, sponsorId)
}

/** Where the member's next referrals are placed. */
export async function findPlacementSide(db: Db, memberId: bigint): Promise<PlacementSide> {
  return (await selectPreference(db, memberId)) as PlacementSide
}
