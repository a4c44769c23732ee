/**
 * What becomes of a withdrawal: operators approve or refuse it, each approval by another operator and never by the member;
 * its member cancels it. One that is not paid gives back all it held. `settle.commands.ts` closes those that are paid.
 */
import { readLocale } from '@aval/contract'
import { constraintOf, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import type { WithdrawalParts } from '@aval/plan'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../ledger/ledger.commands.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { isStopped } from '../reserves/reserves.queries.ts'
import { sayReason } from './withdrawals.presenter.ts'
import { type ClosedState, mayBecome, type WithdrawalState } from './withdrawals.rules.ts'
import * as store from './withdrawals.sql.ts'

/** When something is decided or settled. */
export interface Moment {
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
}

/** Who closes a withdrawal, and when. */
interface Closure extends Moment {
  /** The member or operator; null for the chain. */
  readonly by: bigint | null
  /** For the member: a stable name, or an operator's words; null where there is nothing to say. */
  readonly reason: string | null
}

/** A withdrawal of a member whose lock is held. @throws when there is none */
export async function loadWithdrawal(tx: Tx, memberId: bigint, id: bigint): Promise<store.WithdrawalRow> {
  const withdrawal = await store.selectRow(tx, memberId, id)
  if (withdrawal === undefined) throw new Refusal('withdrawal_not_found')
  return withdrawal
}

/** The only setter of a final state. @throws where the state machine has no such transition: a broken assumption */
export async function close(tx: Tx, withdrawal: store.WithdrawalRow, closing: store.Closing): Promise<void> {
  if (!mayBecome(withdrawal.state as WithdrawalState, closing.state))
    throw new Error(`withdrawal ${withdrawal.id} does not go from ${withdrawal.state} to ${closing.state}`)
  await store.updateClosed(tx, withdrawal.member_id, withdrawal.id, closing)
}

/**
 * Holds the parts of a withdrawal in the ledger, under its number, or releases them to where they were taken from.
 * @returns the journal
 */
export async function moveHold(
  tx: Tx,
  verb: 'hold' | 'release',
  { memberId, id }: { readonly memberId: bigint; readonly id: bigint },
  { fromBalance, fromPrincipal }: WithdrawalParts,
  now: Date,
): Promise<bigint> {
  const at = fromPrincipal > 0n ? await openInstant(tx, now) : now
  const journal = await post(tx, {
    key: `withdrawal:${id}:${verb}`,
    kind: `withdrawal_${verb}`,
    memberId,
    at,
    movements: [
      { kind: `${verb}_balance`, amount: fromBalance },
      { kind: `${verb}_principal`, amount: fromPrincipal },
    ],
  })
  if (fromPrincipal > 0n) {
    const amount = verb === 'hold' ? -fromPrincipal : fromPrincipal
    await store.insertPrincipalMovement(tx, { member_id: memberId, withdrawal_id: id, amount, at })
  }
  return journal.id
}

async function notifyMember(
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  state: Exclude<ClosedState, 'completed'>,
  closure: Closure,
): Promise<void> {
  const { member_id: memberId, id } = withdrawal
  const member = await store.selectMember(tx, memberId)
  const locale = readLocale(member.locale)
  const mail = { memberId, to: member.email, locale, event: `withdrawal:${id}:${state}` }
  const params = { amount: String(withdrawal.amount), number: String(id) }
  if (state === 'cancelled')
    return queueMail(tx, { ...mail, template: 'withdrawal_cancelled', params }, closure.systemNow)
  const reason = sayReason(locale, closure.reason) ?? ''
  const template = state === 'refused' ? 'withdrawal_refused' : 'withdrawal_failed'
  await queueMail(tx, { ...mail, template, params: { ...params, reason } }, closure.systemNow)
}

const VERB = { cancelled: 'cancel', refused: 'refuse', failed: 'fail' } as const

/**
 * Closes a withdrawal without payment: releases its hold, e-mails the member, records who did it. The caller holds the
 * member's lock.
 * @returns the journal of the release
 * @throws Refusal `withdrawal_in_transit` while a transfer of it can still arrive
 */
export async function closeUnpaid(
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  state: Exclude<ClosedState, 'completed'>,
  closure: Closure,
): Promise<bigint> {
  const { member_id: memberId, id } = withdrawal
  const { by, now, systemNow, reason } = closure
  const inTransit = () => new Refusal('withdrawal_in_transit', { number: String(id) })
  if (state === 'refused' && (await store.hasLiveTransfer(tx, memberId, id))) throw inTransit()
  const held = {
    fromBalance: micro(withdrawal.from_balance),
    fromPrincipal: micro(withdrawal.from_principal),
  }
  const journalId = await moveHold(tx, 'release', { memberId, id }, held, now)
  try {
    const closing = { closed_at: now, close_journal_id: journalId, reason, closed_by: by, txid: null }
    await close(tx, withdrawal, { state, ...closing })
  } catch (error) {
    // The gateway prepared a transfer between the check above and the row's lock.
    if (constraintOf(error) === 'withdrawal_has_no_live_transfer') throw inTransit()
    throw error
  }
  await notifyMember(tx, withdrawal, state, closure)
  await recordAudit(tx, {
    at: systemNow,
    actorId: by,
    action: `withdrawal.${VERB[state]}`,
    outcome: 'done',
    subject: `withdrawal:${id}`,
    details: { amount: String(withdrawal.amount), ...(reason === null ? {} : { reason }) },
  })
  return journalId
}

/**
 * A member cancels a request. Cancelling it again does nothing.
 * @throws Refusal `withdrawal_not_found`, also for somebody else's; `withdrawal_past_cancelling` once it is decided
 */
export async function cancelWithdrawal(
  tx: Tx,
  { memberId, id, ...moment }: { memberId: bigint; id: bigint | null } & Moment,
): Promise<void> {
  if (id === null) throw new Refusal('withdrawal_not_found')
  await lockMember(tx, memberId)
  const withdrawal = await loadWithdrawal(tx, memberId, id)
  if (withdrawal.state === 'cancelled') return
  if (withdrawal.state !== 'requested') throw new Refusal('withdrawal_past_cancelling')
  await closeUnpaid(tx, withdrawal, 'cancelled', { by: memberId, ...moment, reason: null })
}

/** Cancels every undecided request of a member who said "this wasn't me". @returns how many */
export async function cancelRequested(tx: Tx, memberId: bigint, moment: Moment): Promise<number> {
  await lockMember(tx, memberId)
  const ids = await store.selectRequested(tx, memberId)
  const closure = { by: memberId, ...moment, reason: 'not_me' }
  for (const id of ids) await closeUnpaid(tx, await loadWithdrawal(tx, memberId, id), 'cancelled', closure)
  return ids.length
}

interface Decider extends Moment {
  readonly operatorId: bigint
}

async function approve(tx: Tx, withdrawal: store.WithdrawalRow, decider: Decider): Promise<void> {
  const { member_id: memberId, id, approvals_needed: needed } = withdrawal
  const { operatorId, now, systemNow } = decider
  const number = String(id)
  if (withdrawal.state !== 'requested') throw new Refusal('withdrawal_decided', { number })
  const approval = { member_id: memberId, withdrawal_id: id, operator_id: operatorId, at: now }
  if (!(await store.insertApproval(tx, approval))) throw new Refusal('withdrawal_approved_before', { number })
  const approvals = await store.countApprovals(tx, memberId, id)
  if (approvals >= needed) await store.updateApproved(tx, memberId, id, now)
  await recordAudit(tx, {
    at: systemNow,
    actorId: operatorId,
    action: 'withdrawal.approve',
    outcome: 'done',
    subject: `withdrawal:${id}`,
    details: { amount: String(withdrawal.amount), approvals, needed },
  })
}

async function refuse(tx: Tx, withdrawal: store.WithdrawalRow, decider: Decider, reason: string) {
  const { operatorId: by, ...moment } = decider
  if (withdrawal.state !== 'requested' && withdrawal.state !== 'approved')
    throw new Refusal('withdrawal_decided', { number: String(withdrawal.id) })
  await closeUnpaid(tx, withdrawal, 'refused', { by, ...moment, reason })
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
  const owners = await store.selectOwners(tx, ids)
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
