import { readLocale } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { inBatches } from '../../core/batches.ts'
import { enqueue, enqueueOnce } from '../../core/jobs.sql.ts'
import { isAddress, oneLine } from './mail.rules.ts'
import {
  deleteOld,
  giveUp,
  insertMessage,
  insertMessages,
  selectRecipient,
  selectRecipients,
} from './mail.sql.ts'
import { type MailTemplate, templates } from './mail.templates.ts'

/** The recipient of a message, and the event it is about. */
export interface MailRequest {
  readonly memberId: bigint
  /** One address: the member's current or former one. */
  readonly to: string
  /** As stored with the member. */
  readonly locale: string
  /** Unique among the member's events: `withdrawal:17:completed`. 200 characters at most. */
  readonly event: string
}

/**
 * Sends a message once this transaction is committed, at most one for an event: a second call does nothing.
 *
 * A message to an invalid address is stored as given up, so that the event itself is not prevented.
 *
 * @param now system time
 * @throws when the parameters are not those of the template: a fault of the caller
 */
export async function queueMail(tx: Tx, mail: MailRequest & MailTemplate, now: Date = new Date()) {
  const { memberId, params } = mail
  const id = await insertMessage(tx, rowOf(mail, now))
  if (id === null) return
  if (isAddress(mail.to)) await enqueueSending(tx, memberId, id, null, 'code' in params ? 0 : CAN_WAIT)
  else await giveUp(tx, { memberId, id }, { token: null, error: 'this is no address' })
}

function rowOf({ memberId, event, template, locale, to, params }: MailRequest & MailTemplate, now: Date) {
  templates[template].parse(params)
  return {
    member_id: memberId,
    event,
    template,
    locale: readLocale(locale),
    to_address: isAddress(to) ? to : oneLine(to, 320),
    params: JSON.stringify(params),
    created_at: now,
    next_try_at: now,
  }
}

/**
 * The same for many that can wait: stored by one statement, and sent one after the other by one job. A job for each would make all other jobs
 * slow: who looks for one passes over all that wait for their queue.
 */
export async function queueNotices(
  tx: Tx,
  notices: readonly (MailRequest & MailTemplate)[],
  now: Date,
): Promise<void> {
  const deliverable = notices.filter(({ to }) => isAddress(to))
  await insertMessages(
    tx,
    deliverable.map((notice) => rowOf(notice, now)),
  )
  for (const notice of notices) if (!isAddress(notice.to)) await queueMail(tx, notice, now)
  if (deliverable.length > 0) await enqueueSendingDue(tx, now)
}

/** The same to a member's present address, in the member's language; nothing where the account is closed. */
export async function mailMember(
  tx: Tx,
  { memberId, ...mail }: Pick<MailRequest, 'memberId' | 'event'> & MailTemplate,
  now: Date,
): Promise<void> {
  const recipient = await selectRecipient(tx, memberId)
  if (recipient === undefined) return
  const { email: to, locale } = recipient
  await queueMail(tx, { ...mail, memberId, to, locale }, now)
}

/** The same to many, who can wait for it. */
export async function mailMembers(
  tx: Tx,
  mails: readonly (Pick<MailRequest, 'memberId' | 'event'> & MailTemplate)[],
  now: Date,
): Promise<void> {
  const recipients = await selectRecipients(
    tx,
    mails.map(({ memberId }) => memberId),
  )
  const notices = mails.flatMap((mail) => {
    const recipient = recipients.get(mail.memberId)
    return recipient === undefined ? [] : [{ ...mail, to: recipient.email, locale: recipient.locale }]
  })
  await queueNotices(tx, notices, now)
}

/**
 * Notices have the lowest priority of all jobs. Behind ten thousand of them a code would expire before it arrives, and a
 * worker looking for another job would scan them first (ten thousand withdrawals: a minute of the database's processors).
 */
const CAN_WAIT = 10

/** @param at system time before which it is not sent */
export async function enqueueSending(
  tx: Tx,
  memberId: bigint,
  id: bigint,
  at: Date | null = null,
  priority = CAN_WAIT,
): Promise<void> {
  const payload = { memberId: String(memberId), id: String(id) }
  await enqueue(tx, 'mail.send', payload, `mail:${memberId}:${id}`, at, priority)
}

/** All that are due by then. @param at system time before which it does not start */
export const enqueueSendingDue = (tx: Tx, at: Date): Promise<void> =>
  enqueueOnce(tx, 'mail.catch_up', {}, 'mail.catch_up', at, CAN_WAIT)

/** Deletes messages that were sent more than ninety days ago. @param now system time */
export function purgeSentMail(db: Db, now: Date): Promise<number> {
  return inBatches((most) => deleteOld(db, now, most))
}
