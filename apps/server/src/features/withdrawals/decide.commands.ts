/** Operators' decisions: each approval by another operator, never by the member; a refusal releases the hold. */
import type { Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember } from '../../ledger/ledger.commands.ts'
import { isStopped } from '../reserves/reserves.queries.ts'
import { closeUnpaid, loadWithdrawal } from './close.commands.ts'
import {
  countApprovals,
  insertApproval,
  selectOwners,
  updateApproved,
  type WithdrawalRow,
} from './withdrawals.sql.ts'

export interface Decider {
  readonly operatorId: bigint
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
}

async function approve(tx: Tx, withdrawal: WithdrawalRow, decider: Decider): Promise<void> {
  const { member_id: memberId, id, approvals_needed: needed } = withdrawal
  const { operatorId, now, systemNow } = decider
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

async function refuse(tx: Tx, withdrawal: WithdrawalRow, decider: Decider, reason: string): Promise<void> {
  const { operatorId, now, systemNow } = decider
  if (withdrawal.state !== 'requested' && withdrawal.state !== 'approved')
    throw new Refusal('withdrawal_decided', { number: String(withdrawal.id) })
  await closeUnpaid(tx, withdrawal, 'refused', { by: operatorId, now, systemNow, reason })
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
  decider: Decider,
): Promise<number> {
  const { reason } = decision
  if (decision.decision === 'refuse' && reason === '')
    throw new Refusal('field_required', { field: 'reason' }, [
      { path: 'reason', key: 'field_required', params: { field: 'reason' } },
    ])
  // An approved one is sent without further question, so none is approved while the reserves do not match.
  if (decision.decision === 'approve' && (await isStopped(tx))) throw new Refusal('withdrawals_paused')
  const ids = [...new Set(decision.ids)]
  const owners = await selectOwners(tx, ids)
  if (owners.length !== ids.length) throw new Refusal('withdrawal_not_found')
  if (owners.some(({ member_id }) => member_id === decider.operatorId)) throw new Refusal('withdrawal_own')
  // All members' locks first and in order, as everywhere; what follows may take the period's lock.
  for (const memberId of new Set(owners.map(({ member_id }) => member_id))) await lockMember(tx, memberId)
  for (const { member_id: memberId, id } of owners) {
    const withdrawal = await loadWithdrawal(tx, memberId, id)
    if (decision.decision === 'approve') await approve(tx, withdrawal, decider)
    else await refuse(tx, withdrawal, decider, reason)
  }
  return owners.length
}
