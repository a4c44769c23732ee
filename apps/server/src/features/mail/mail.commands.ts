import { readLocale } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { inBatches } from '../../core/batches.ts'
import { enqueue } from '../../core/jobs.sql.ts'
import { isAddress, oneLine } from './mail.rules.ts'
import { deleteOld, giveUp, insertMessage, selectRecipient } from './mail.sql.ts'
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
  const { memberId, event, template, locale, to, params } = mail
  templates[template].parse(params)
  const deliverable = isAddress(to)
  const id = await insertMessage(tx, {
    member_id: memberId,
    event,
    template,
    locale: readLocale(locale),
    to_address: deliverable ? to : oneLine(to, 320),
    params: JSON.stringify(params),
    created_at: now,
    next_try_at: now,
  })
  if (id === null) return
  if (deliverable) await enqueueSending(tx, memberId, id, null, 'code' in params ? 0 : CAN_WAIT)
  else await giveUp(tx, { memberId, id }, { token: null, error: 'this is no address' })
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

/** Deletes messages that were sent more than ninety days ago. @param now system time */
export function purgeSentMail(db: Db, now: Date): Promise<number> {
  return inBatches((most) => deleteOld(db, now, most))
}
