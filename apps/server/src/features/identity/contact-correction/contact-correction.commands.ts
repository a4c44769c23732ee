/**
 * An operator corrects how a member is reached. A new e-mail takes the member's proof: a code goes to the new mailbox, and the member
 * reads it to the operator. The former mailbox hears of it at once, with a link that stops it. A phone number is set with a reason.
 */
import { randomUUID } from 'node:crypto'
import type { Tx } from '@aval/db'
import type { CommitOnRefusalTx } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { createEmailCode, spendEmailCode } from '../email-codes/email-codes.commands.ts'
import { maskEmail } from '../email-codes/email-codes.rules.ts'
import { findFreeze } from '../freezing/freezing.queries.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import { selectEmailHolder, updateMember } from '../members/members.sql.ts'
import { applyGuarded } from '../profile/profile.commands.ts'
import { refusalAt } from '../profile/profile.queries.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { selectPhone } from './contact-correction.sql.ts'

interface Act {
  readonly memberId: bigint | null
  readonly operatorId: bigint
}

/** @throws Refusal `member_frozen`, `member_is_operator`, and those of `lockActedOn` */
async function lockCorrectable(tx: Tx, act: Act) {
  const locked = await lockActedOn(tx, act)
  if (locked.member.is_operator) throw new Refusal('member_is_operator')
  const freeze = await findFreeze(tx, locked.memberId)
  if (freeze !== null)
    throw new Refusal('member_frozen', { by: freeze.by, at: freeze.at, why: freeze.reason })
  return locked
}

/**
 * Sends the code, and tells the present mailbox. Nothing changes.
 * @param now system time
 * @throws Refusal `email_taken`, `email_unchanged`, and those of `lockCorrectable`
 */
export async function askForEmail(
  context: Context,
  tx: Tx,
  { email, ...act }: Act & { readonly email: string },
  now: Date,
): Promise<void> {
  const { memberId, member } = await lockCorrectable(tx, act)
  if (fold(email) === fold(member.email)) throw refusalAt('email', 'email_unchanged')
  const holder = await selectEmailHolder(tx, fold(email))
  if (holder !== null && holder !== memberId) throw refusalAt('email', 'email_taken')
  const binding = fold(email)
  const code = await createEmailCode(context, tx, {
    memberId,
    purpose: 'correction',
    binding,
    to: email,
    now,
  })
  const { locale, username } = member
  const attempt = randomUUID()
  const coded = { memberId, to: email, locale, event: `correction_code:${attempt}` }
  const params = { code, unprovenFor: username, at: now }
  await queueMail(tx, { ...coded, template: 'correction_code', params }, now)
  const event = `correction_asked:${attempt}`
  const heard = { memberId, to: member.email, locale, event, template: 'correction_asked' } as const
  const link = notMeUrl(context.config, memberId, event, now)
  await queueMail(tx, { ...heard, params: { email: maskEmail(email), at: now, notMeUrl: link } }, now)
}

/**
 * The member gave the code: the e-mail is another one, and proven. Money cools, and the former mailbox hears of it, as after every change.
 * @returns the member's username
 * @throws Refusal `code_expired`, `code_wrong`, `code_for_other`, `email_taken`, and those of `lockCorrectable`
 */
export async function correctEmail(
  context: Context,
  tx: CommitOnRefusalTx,
  { email, code, ...act }: Act & { readonly email: string; readonly code: string },
  now: Date,
): Promise<string> {
  const { memberId, member } = await lockCorrectable(tx, act)
  const spending = { memberId, purpose: 'correction', code, bindings: [fold(email)], sentTo: email } as const
  await spendEmailCode(context, tx, { ...spending, field: 'code', now })
  const circumstances = { device: null, now, undoes: null, operatorId: act.operatorId }
  await applyGuarded(context, tx, memberId, { email, wallet: null }, circumstances)
  return member.username
}

/**
 * @param wanted.was the number that the operator saw
 * @returns the member's username
 * @throws Refusal `phone_moved`, and those of `lockCorrectable`
 */
export async function correctPhone(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  { phone, was, ...act }: Act & { readonly phone: string; readonly was: string },
  now: Date,
): Promise<string> {
  const { memberId, member } = await lockCorrectable(tx, act)
  const before = await selectPhone(tx, memberId)
  if (before !== was) throw refusalAt('phone', 'phone_moved')
  await updateMember(tx, memberId, { phone_number: phone })
  const details = { by: 'operator' }
  const event = { memberId, kind: 'phone_corrected', at: now, device: null, details } as const
  await announceSecurityEvent(config, tx, event, member, (params) => ({
    template: 'phone_corrected',
    params: { phone, ...params },
  }))
  return member.username
}
