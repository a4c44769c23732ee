/** What operators decide: each approval by another one, never by the member; a refusal gives everything back. */
import type { Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember } from '../../ledger/ledger.commands.ts'
import { isStopped } from '../reserves/stop.commands.ts'
import { giveBack, standingOf } from './endings.commands.ts'
import {
  countApprovals,
  insertApproval,
  type Standing,
  selectOwners,
  updateApproved,
} from './withdrawals.sql.ts'

export interface Deciding {
  readonly operatorId: bigint
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
}

async function approve(tx: Tx, withdrawal: Standing, deciding: Deciding): Promise<void> {
  const { member_id: memberId, id, approvals_needed: needed } = withdrawal
  const { operatorId, now, systemNow } = deciding
  const number = String(id)
  if (withdrawal.state !== 'requested') throw new Refusal('withdrawal_decided', { number })
  if (!(await insertApproval(tx, { memberId, id, operatorId, at: now })))
    throw new Refusal('withdrawal_approved_before', { number })
  const approvals = await countApprovals(tx, memberId, id)
  if (approvals >= needed) await updateApproved(tx, memberId, id, now)
  await recordAudit(tx, {
    at: systemNow,
    actorId: operatorId,
    action: 'withdrawal.approve',
    outcome: 'done',
    subject: `withdrawal:${id}`,
    details: { amount: String(withdrawal.amount), approvals, needed },
  })
}

async function refuse(tx: Tx, withdrawal: Standing, deciding: Deciding, reason: string): Promise<void> {
  const { operatorId, now, systemNow } = deciding
  if (withdrawal.state !== 'requested' && withdrawal.state !== 'approved')
    throw new Refusal('withdrawal_decided', { number: String(withdrawal.id) })
  await giveBack(tx, withdrawal, 'refused', { by: operatorId, now, systemNow, reason })
}

/**
 * Decides about withdrawals, all of them or none. @returns how many
 *
 * @param decision.reason for the member; a refusal needs one
 * @throws Refusal `withdrawal_not_found`, `withdrawal_own`, `withdrawal_decided`, `withdrawal_approved_before`,
 * `withdrawal_in_transit`, `withdrawals_paused`, `field_required`
 */
export async function decide(
  tx: Tx,
  decision: {
    readonly decision: 'approve' | 'refuse'
    readonly ids: readonly bigint[]
    readonly reason: string
  },
  deciding: Deciding,
): Promise<number> {
  const { reason } = decision
  if (decision.decision === 'refuse' && reason === '')
    throw new Refusal('field_required', { field: 'reason' }, [
      { path: 'reason', key: 'field_required', params: { field: 'reason' } },
    ])
  // What is approved goes out by itself; while the reserves do not match, nothing may.
  if (decision.decision === 'approve' && (await isStopped(tx))) throw new Refusal('withdrawals_paused')
  const ids = [...new Set(decision.ids)]
  const owners = await selectOwners(tx, ids)
  if (owners.length !== ids.length) throw new Refusal('withdrawal_not_found')
  if (owners.some(({ member_id }) => member_id === deciding.operatorId)) throw new Refusal('withdrawal_own')
  // All of them first and in order, as everybody locks several: what comes after may take the period's lock.
  for (const memberId of new Set(owners.map(({ member_id }) => member_id))) await lockMember(tx, memberId)
  for (const { member_id: memberId, id } of owners) {
    const withdrawal = await standingOf(tx, memberId, id)
    if (decision.decision === 'approve') await approve(tx, withdrawal, deciding)
    else await refuse(tx, withdrawal, deciding, reason)
  }
  return owners.length
}
