/** How withdrawals end, but for those that are paid: what was held goes back in full. */
import { readLocale } from '@aval/contract'
import { constraintOf, type Tx } from '@aval/db'
import { micro } from '@aval/money'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { lockMember, openInstant, post } from '../../ledger/ledger.commands.ts'
import { queueMail } from '../mail/mail.commands.ts'
import { type ClosedState, mayBecome, type WithdrawalState } from './withdrawals.rules.ts'
import {
  type Closing,
  hasLivingTransfer,
  insertPrincipalMovement,
  type Standing,
  selectMember,
  selectRequested,
  selectStanding,
  updateClosed,
} from './withdrawals.sql.ts'
import { sayReason } from './withdrawals.words.ts'

/** Who ends a withdrawal, and when. */
export interface Ending {
  /** The member or operator; null for the chain. */
  readonly by: bigint | null
  /** Business time. */
  readonly now: Date
  /** System time. */
  readonly systemNow: Date
  /** For the member: a stable name, or an operator's words; null where there is nothing to tell. */
  readonly reason: string | null
}

/** A withdrawal of a member whose lock is held. @throws when there is none */
export async function standingOf(tx: Tx, memberId: bigint, id: bigint): Promise<Standing> {
  const standing = await selectStanding(tx, memberId, id)
  if (standing === undefined) throw new Refusal('withdrawal_not_found')
  return standing
}

/** The one setter of how a withdrawal ends. @throws where its state leads nowhere near it: a broken assumption */
export async function close(tx: Tx, withdrawal: Standing, closing: Closing): Promise<void> {
  if (!mayBecome(withdrawal.state as WithdrawalState, closing.state))
    throw new Error(`withdrawal ${withdrawal.id} does not go from ${withdrawal.state} to ${closing.state}`)
  await updateClosed(tx, withdrawal.member_id, withdrawal.id, closing)
}

/** Gives back what is held, to where it was taken from. @returns the journal */
async function release(tx: Tx, withdrawal: Standing, now: Date): Promise<bigint> {
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

async function tell(
  tx: Tx,
  withdrawal: Standing,
  state: Exclude<ClosedState, 'completed'>,
  ending: Ending,
): Promise<void> {
  const { member_id: memberId, id } = withdrawal
  const member = await selectMember(tx, memberId)
  const locale = readLocale(member.locale)
  const mail = { memberId, to: member.email, locale, event: `withdrawal:${id}:${state}` }
  const params = { amount: String(withdrawal.amount), number: String(id) }
  if (state === 'cancelled')
    return queueMail(tx, { ...mail, template: 'withdrawal_cancelled', params }, ending.systemNow)
  const reason = sayReason(locale, ending.reason) ?? ''
  const template = state === 'refused' ? 'withdrawal_refused' : 'withdrawal_failed'
  await queueMail(tx, { ...mail, template, params: { ...params, reason } }, ending.systemNow)
}

const VERB = { cancelled: 'cancel', refused: 'refuse', failed: 'fail' } as const

/**
 * Ends a withdrawal that comes to nothing: its hold goes back in full, the member is told, the trail says who.
 * The member's lock is held.
 * @returns the journal of the release
 * @throws Refusal `withdrawal_in_transit` while a transfer of it can still arrive
 */
export async function giveBack(
  tx: Tx,
  withdrawal: Standing,
  state: Exclude<ClosedState, 'completed'>,
  ending: Ending,
): Promise<bigint> {
  const { member_id: memberId, id } = withdrawal
  const { by, now, systemNow, reason } = ending
  const inTransit = () => new Refusal('withdrawal_in_transit', { number: String(id) })
  if (state === 'refused' && (await hasLivingTransfer(tx, memberId, id))) throw inTransit()
  const journalId = await release(tx, withdrawal, now)
  try {
    await close(tx, withdrawal, { state, journalId, at: now, reason, by, txid: null })
  } catch (error) {
    // The gateway was faster: it prepared a transfer between the look above and the row's lock.
    if (constraintOf(error) === 'withdrawal_has_no_live_transfer') throw inTransit()
    throw error
  }
  await tell(tx, withdrawal, state, ending)
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
 * A member takes a request back. Asked again, nothing more happens.
 * @throws Refusal `withdrawal_not_found`, also for somebody else's; `withdrawal_past_cancelling` once it is decided
 */
export async function cancelWithdrawal(
  tx: Tx,
  cancelling: { memberId: bigint; id: bigint | null; now: Date; systemNow: Date },
): Promise<void> {
  const { memberId, id, now, systemNow } = cancelling
  if (id === null) throw new Refusal('withdrawal_not_found')
  await lockMember(tx, memberId)
  const withdrawal = await standingOf(tx, memberId, id)
  if (withdrawal.state === 'cancelled') return
  if (withdrawal.state !== 'requested') throw new Refusal('withdrawal_past_cancelling')
  await giveBack(tx, withdrawal, 'cancelled', { by: memberId, now, systemNow, reason: null })
}

/**
 * "This wasn't me": takes back every request of a member that nobody has decided. @returns how many
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
    await giveBack(tx, await standingOf(tx, memberId, id), 'cancelled', {
      by: memberId,
      ...at,
      reason: 'not_me',
    })
  return ids.length
}
