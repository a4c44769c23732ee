import type { Tx } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant } from '../../ledger/ledger.commands.ts'
import { MOST_MASTERS } from './genealogy.rules.ts'
import { countMasters, insertMaster, selectIsFundator, selectReferral } from './genealogy.sql.ts'

/**
 * Makes the link between a fundator and a direct referral a master link, for good: whatever is invested below it, and has no
 * commissions yet, pays the fundator at any depth.
 *
 * @throws Refusal for who is no fundator, for a referral of another member or of none, for a master, and beyond 100 of them.
 */
export async function activateMaster(tx: Tx, memberId: bigint, referralId: bigint, now: Date): Promise<void> {
  // Two at once see each other's count.
  await lockMember(tx, memberId)
  if (!(await selectIsFundator(tx, memberId))) throw new Refusal('not_fundator')
  const referral = await selectReferral(tx, memberId, referralId)
  if (referral === undefined) throw new Refusal('referral_not_found')
  if (referral.is_master) throw new Refusal('master_already')
  if ((await countMasters(tx, memberId)) >= MOST_MASTERS)
    throw new Refusal('too_many_masters', { limit: MOST_MASTERS })
  // Held open, no run can look at history between the number that is drawn here and its commit.
  const at = await openInstant(tx, now)
  await insertMaster(tx, referralId, memberId, at)
}
