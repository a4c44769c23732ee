/**
 * What becomes of a withdrawal: operators refuse it, its member cancels it; the signer accepts what operators approved. One that is not paid gives back all it held. `settle.commands.ts` closes those that are paid.
 */
import { readLocale } from '@aval/contract'
import { constraintOf, type Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember } from '../../ledger/ledger.commands.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { sayReason } from './withdrawals.presenter.ts'
import type { ClosedState } from './withdrawals.rules.ts'
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
 * @throws Refusal `withdrawal_in_transit` while a transfer of it can still arrive
 */
export async function closeUnpaid(
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  state: 'cancelled' | 'refused',
  closure: Closure,
): Promise<void> {
  const { member_id: memberId, id } = withdrawal
  const { by, now, reason } = closure
  const inTransit = () => new Refusal('withdrawal_in_transit', { number: String(id) })
  if (state === 'refused' && (await store.hasLiveTransfer(tx, memberId, id))) throw inTransit()
  try {
    if (state === 'cancelled') await store.cancelWithdrawal(tx, withdrawal, reason, now)
    else await store.refuseWithdrawal(tx, withdrawal, reason, by, now)
  } catch (error) {
    // The gateway prepared a transfer between the check above and the row's lock.
    if (constraintOf(error) === 'withdrawal_has_no_live_transfer') throw inTransit()
    throw error
  }
  await announceUnpaid(tx, withdrawal, state, closure)
}

/** E-mails the member, and records who ended it. */
export async function announceUnpaid(
  tx: Tx,
  withdrawal: store.WithdrawalRow,
  state: Exclude<ClosedState, 'completed'>,
  closure: Closure,
): Promise<void> {
  const { by, systemNow, reason } = closure
  await notifyMember(tx, withdrawal, state, closure)
  await recordAudit(tx, {
    at: systemNow,
    actorId: by,
    action: `withdrawal.${VERB[state]}`,
    outcome: 'done',
    subject: `withdrawal:${withdrawal.id}`,
    details: { amount: String(withdrawal.amount), ...(reason === null ? {} : { reason }) },
  })
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

const WAS = {
  refused: 'withdrawal_was_refused',
  cancelled: 'withdrawal_was_cancelled',
  ended: 'withdrawal_was_closed',
} as const

/** Says who was faster, and when. */
async function decidedBefore(tx: Tx, withdrawal: store.WithdrawalRow): Promise<Refusal> {
  const { member_id: memberId, id, state } = withdrawal
  const { by, at } = await store.selectClosure(tx, memberId, id)
  const key = WAS[state === 'refused' || state === 'cancelled' ? state : 'ended']
  const reason = { path: 'ids', key, params: { operator: by ?? '–', at: at ?? '–' } }
  return new Refusal('withdrawal_decided', { number: String(id) }, [reason])
}

async function refuse(tx: Tx, withdrawal: store.WithdrawalRow, decider: Decider, reason: string) {
  const { operatorId: by, ...moment } = decider
  if (withdrawal.state !== 'requested' && withdrawal.state !== 'approved')
    throw await decidedBefore(tx, withdrawal)
  await closeUnpaid(tx, withdrawal, 'refused', { by, ...moment, reason })
}

/**
 * Refuses withdrawals, all of them or none. They are approved elsewhere, by what operators sign. @returns how many
 *
 * @param decision.reason for the member
 * @throws Refusal `withdrawal_not_found`, `withdrawal_own`, `withdrawal_decided`, `withdrawal_in_transit`, `field_required`
 */
export async function decide(
  tx: Tx,
  { ids: given, reason }: { readonly ids: readonly bigint[]; readonly reason: string },
  decider: Decider,
): Promise<number> {
  if (reason === '')
    throw new Refusal('field_required', { field: 'reason' }, [
      { path: 'reason', key: 'field_required', params: { field: 'reason' } },
    ])
  const ids = [...new Set(given)]
  const owners = await store.selectOwners(tx, ids)
  if (owners.length !== ids.length) throw new Refusal('withdrawal_not_found')
  if (owners.some(({ member_id }) => member_id === decider.operatorId)) throw new Refusal('withdrawal_own')
  // All members' locks first and in order, as everywhere; what follows may take the period's lock.
  for (const memberId of new Set(owners.map(({ member_id }) => member_id))) await lockMember(tx, memberId)
  for (const { member_id: memberId, id } of owners)
    await refuse(tx, await loadWithdrawal(tx, memberId, id), decider, reason)
  return owners.length
}
