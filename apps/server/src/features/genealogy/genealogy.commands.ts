import type { Tx } from '@aval/db'
import { chainOn, chooseSide, type Preference, placeAtTail, placeRoot } from '@aval/genealogy'
import { insertPlace, lockPlacement, lockTail } from './genealogy.sql.ts'

/** Gives the first member of all the top of both trees. */
export function placeFirst(tx: Tx, memberId: bigint): Promise<void> {
  return insertPlace(tx, memberId, null, placeRoot(memberId))
}

/**
 * Holds the next place under a sponsor, the outer end of the sponsor's chosen side, until the transaction ends. Held
 * before the member gets a number, so that along every chain numbers ascend: parents have smaller ids than children.
 */
export async function holdPlace(tx: Tx, sponsorId: bigint) {
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
export function takePlace(tx: Tx, memberId: bigint, held: Awaited<ReturnType<typeof holdPlace>>) {
  return insertPlace(tx, memberId, held.sponsorId, placeAtTail(memberId, held.side, held))
}
