/** Closing a withdrawal. One that is not paid gives back all it held; `settle.commands.ts` closes those that are. */
import { readLocale } from '@aval/contract'
import { constraintOf, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../ledger/ledger.commands.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { sayReason } from './withdrawals.presenter.ts'
import { type ClosedState, mayBecome, type WithdrawalState } from './withdrawals.rules.ts'
import {
  type Closing,
  hasLiveTransfer,
  insertPrincipalMovement,
  selectMember,
  selectRequested,
  selectRow,
  updateClosed,
  type WithdrawalRow,
} from './withdrawals.sql.ts'

/** Who closes a withdrawal, and when. */
export interface Closure {
  /** The member or operator; null for the chain. */
  readonly by: bigint | null
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
  /** For the member: a stable name, or an operator's words; null where there is nothing to say. */
  readonly reason: string | null
}

/** A withdrawal of a member whose lock is held. @throws when there is none */
export async function loadWithdrawal(tx: Tx, memberId: bigint, id: bigint): Promise<WithdrawalRow> {
  const withdrawal = await selectRow(tx, memberId, id)
  if (withdrawal === undefined) throw new Refusal('withdrawal_not_found')
  return withdrawal
}

/** The only setter of a final state. @throws where the state machine has no such transition: a broken assumption */
export async function close(tx: Tx, withdrawal: WithdrawalRow, closing: Closing): Promise<void> {
  if (!mayBecome(withdrawal.state as WithdrawalState, closing.state))
    throw new Error(`withdrawal ${withdrawal.id} does not go from ${withdrawal.state} to ${closing.state}`)
  await updateClosed(tx, withdrawal.member_id, withdrawal.id, closing)
}

/** Returns the hold to where it was taken from. @returns the journal */
async function release(tx: Tx, withdrawal: WithdrawalRow, now: Date): Promise<bigint> {
  const { member_id: memberId, id, from_balance, from_principal } = withdrawal
  const at = from_principal > 0n ? await openInstant(tx, now) : now
  const journal = await post(tx, {
    key: `withdrawal:${id}:release`,
    kind: 'withdrawal_release',
    memberId,
    at,
    movements: [
      { kind: 'release_balance', amount: micro(from_balance) },
      { kind: 'release_principal', amount: micro(from_principal) },
    ],
  })
  if (from_principal > 0n)
    await insertPrincipalMovement(tx, { memberId, withdrawalId: id, amount: from_principal, at })
  return journal.id
}

async function notifyMember(
  tx: Tx,
  withdrawal: WithdrawalRow,
  state: Exclude<ClosedState, 'completed'>,
  closure: Closure,
): Promise<void> {
  const { member_id: memberId, id } = withdrawal
  const member = await selectMember(tx, memberId)
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
  withdrawal: WithdrawalRow,
  state: Exclude<ClosedState, 'completed'>,
  closure: Closure,
): Promise<bigint> {
  const { member_id: memberId, id } = withdrawal
  const { by, now, systemNow, reason } = closure
  const inTransit = () => new Refusal('withdrawal_in_transit', { number: String(id) })
  if (state === 'refused' && (await hasLiveTransfer(tx, memberId, id))) throw inTransit()
  const journalId = await release(tx, withdrawal, now)
  try {
    await close(tx, withdrawal, { state, journalId, at: now, reason, by, txid: null })
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
  cancelling: { memberId: bigint; id: bigint | null; now: Date; systemNow: Date },
): Promise<void> {
  const { memberId, id, now, systemNow } = cancelling
  if (id === null) throw new Refusal('withdrawal_not_found')
  await lockMember(tx, memberId)
  const withdrawal = await loadWithdrawal(tx, memberId, id)
  if (withdrawal.state === 'cancelled') return
  if (withdrawal.state !== 'requested') throw new Refusal('withdrawal_past_cancelling')
  await closeUnpaid(tx, withdrawal, 'cancelled', { by: memberId, now, systemNow, reason: null })
}

/**
 * Cancels every undecided request of a member who said "this wasn't me". @returns how many
 * @param at.now business time
 */
export async function cancelRequested(
  tx: Tx,
  memberId: bigint,
  at: { readonly now: Date; readonly systemNow: Date },
): Promise<number> {
  await lockMember(tx, memberId)
  const ids = await selectRequested(tx, memberId)
  for (const id of ids)
    await closeUnpaid(tx, await loadWithdrawal(tx, memberId, id), 'cancelled', {
      by: memberId,
      ...at,
      reason: 'not_me',
    })
  return ids.length
}
