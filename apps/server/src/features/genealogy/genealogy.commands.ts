import type { Db, Tx } from '@aval/db'
import { chainOn, chooseSide, type Preference, placeAtTail, placeRoot } from '@aval/genealogy'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant } from '../../ledger/ledger.commands.ts'
import { MOST_MASTERS } from './genealogy.rules.ts'
import * as store from './genealogy.sql.ts'

/** Gives the first member of all the top of both trees. */
export function placeFirst(tx: Tx, memberId: bigint): Promise<void> {
  return store.insertPlace(tx, memberId, null, placeRoot(memberId))
}

/**
 * Holds the next place under a sponsor, the outer end of the sponsor's chosen side, until the transaction ends. Held
 * before the member gets a number, so that along every chain numbers ascend: parents have smaller ids than children.
 */
export async function holdPlace(tx: Tx, sponsorId: bigint) {
  const sponsor = await store.lockPlacement(tx, sponsorId)
  const side = chooseSide({
    preference: sponsor.preference as Preference,
    leftReferrals: sponsor.left_referrals,
    rightReferrals: sponsor.right_referrals,
  })
  const headId = chainOn({ left: sponsor.left_chain, right: sponsor.right_chain }, side)
  return { sponsorId, side, headId, tailId: await store.lockTail(tx, headId, side) }
}

/**
 * Sets where a member's next referrals are placed. A registration under way holds the member's place: it comes first, and
 * the next one reads what is set here.
 */
export function setPlacementSide(db: Db, memberId: bigint, side: Preference): Promise<void> {
  return store.updatePreference(db, memberId, side)
}

/** Links a new member to the sponsor and gives the place that was held. */
export function takePlace(tx: Tx, memberId: bigint, held: Awaited<ReturnType<typeof holdPlace>>) {
  return store.insertPlace(tx, memberId, held.sponsorId, placeAtTail(memberId, held.side, held))
}

/**
 * Makes the link between a fundator and a direct referral a master link, for good: whatever is invested below it, and has no
 * commissions yet, pays the fundator at any depth.
 *
 * @throws Refusal for who is no fundator, for a referral of another member or of none, for a master, and beyond 100 of them.
 */
export async function activateMaster(tx: Tx, memberId: bigint, referralId: bigint, now: Date): Promise<void> {
  // Two at once see each other's count.
  await lockMember(tx, memberId)
  if (!(await store.selectIsFundator(tx, memberId))) throw new Refusal('not_fundator')
  const referral = await store.selectReferral(tx, memberId, referralId)
  if (referral === undefined) throw new Refusal('referral_not_found')
  if (referral.is_master) throw new Refusal('master_already')
  if ((await store.countMasters(tx, memberId)) >= MOST_MASTERS)
    throw new Refusal('too_many_masters', { limit: MOST_MASTERS })
  await store.insertMaster(tx, referralId, memberId, now)
}

/**
 * Sets the percentage points that a sponsor gets on top of the plan's first level: of what is invested from now on, and of
 * what has no commissions yet. Runs that were computed keep what was in force for them.
 *
 * @param percent as `parseExtraPercent` gives it; `0` takes them away
 * @param by the person at the console
 * @param now business time
 * @returns whether it was another before
 */
export async function setExtraPercent(
  tx: Tx,
  { sponsorId, percent, by }: { readonly sponsorId: bigint; readonly percent: string; readonly by: string },
  now: Date,
): Promise<boolean> {
  await lockMember(tx, sponsorId)
  if ((await store.selectExtraPercent(tx, sponsorId)) === percent) return false
  // Held open, no run can look at history between the number that is drawn here and its commit.
  const at = await openInstant(tx, now)
  await store.insertExtraPercent(tx, { sponsorId, percent, by, at })
  return true
}
