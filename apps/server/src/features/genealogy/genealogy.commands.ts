import type { ReferralStatus } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { chainOn, chooseSide, type Preference, placeAtTail, placeRoot, type Side } from '@aval/genealogy'
import { selectCounted } from './downline.sql.ts'
import {
  insertPlace,
  lockPlacement,
  lockTail,
  selectReferrals,
  selectReferralsBy,
  selectRoot,
} from './genealogy.sql.ts'

/** The member without a sponsor; null before there is one. */
export function findRoot(db: Db): Promise<bigint | null> {
  return selectRoot(db)
}

/** Gives the first member of all the top of both trees. */
export function placeFirst(tx: Tx, memberId: bigint): Promise<void> {
  return insertPlace(tx, memberId, null, placeRoot(memberId))
}

/** A place that is held for somebody who is about to join: the outer end of the sponsor's chosen side. */
export interface HeldPlace {
  readonly sponsorId: bigint
  readonly side: Side
  readonly headId: bigint
  readonly tailId: bigint
}

/**
 * Holds the next place under a sponsor until the transaction ends. Held before the member gets a number, so that along
 * every chain numbers ascend: parents have smaller ids than children.
 */
export async function holdPlace(tx: Tx, sponsorId: bigint): Promise<HeldPlace> {
  const sponsor = await lockPlacement(tx, sponsorId)
  const side = chooseSide({
    preference: sponsor.preference as Preference,
    leftReferrals: sponsor.left_referrals,
    rightReferrals: sponsor.right_referrals,
  })
  const headId = chainOn({ left: sponsor.left_chain, right: sponsor.right_chain }, side)
  return { sponsorId, side, headId, tailId: await lockTail(tx, headId, side) }
}

/** Links a new member to the sponsor and gives the place that was held. */
export function takePlace(tx: Tx, memberId: bigint, held: HeldPlace): Promise<void> {
  return insertPlace(tx, memberId, held.sponsorId, placeAtTail(memberId, held.side, held))
}

interface ReferralsWanted {
  /** Undefined for all of them. */
  readonly status?: ReferralStatus | undefined
  readonly pageSize: number
  readonly offset: number
}

/** A page of those whom the member introduced, newest first. */
export async function listReferrals(db: Db, memberId: bigint, { status, pageSize, offset }: ReferralsWanted) {
  if (status !== undefined) return selectReferralsBy(db, memberId, status, pageSize, offset)
  const { direct } = await selectCounted(db, memberId)
  const results = await selectReferrals(db, memberId, direct, pageSize, offset)
  return { count: direct, results }
}
