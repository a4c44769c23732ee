import type { PlacementSide } from '@aval/contract'
import type { Db } from '@aval/db'
import { selectPreference, selectRoot } from './genealogy.sql.ts'

/** The member without a sponsor; null before there is one. */
export function findRoot(db: Db): Promise<bigint | null> {
  return selectRoot(db)
}

/** Where the member's next referrals are placed. */
export async function findPlacementSide(db: Db, memberId: bigint): Promise<PlacementSide> {
  return (await selectPreference(db, memberId)) as PlacementSide
}
