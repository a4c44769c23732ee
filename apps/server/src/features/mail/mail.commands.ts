import { readLocale } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { inBatches } from '../../core/batches.ts'
import { enqueue } from '../../core/jobs.sql.ts'
import { isAddress, oneLine } from './mail.rules.ts'
import { countUnsent, deleteOld, giveUp, insertMessage } from './mail.sql.ts'
import { type MailTemplate, templates } from './mail.templates.ts'

/** Whom a message is for, and what it is about. */
export interface MailRequest {
  readonly memberId: bigint
  /** One address; the member's, or one that was the member's. */
  readonly to: string
  /** As stored with the member. */
  readonly locale: string
  /** Names what happened, among all that happens to this member: `withdrawal:17:completed`. 200 characters at most. */
  readonly event: string
}

/**
 * Sends a message once this transaction is committed, and at most one about an event: asked again, it does nothing.
 *
 * An address that nothing can be sent to does not keep the caller from what the message is about: it is kept as given up.
 *
 * @param now system time
 * @throws where the message is told something else than it asks for: a fault of the caller
 */
export async function queueMail(
  tx: Tx,
  mail: MailRequest & MailTemplate,
  now: Date = new Date(),
): Promise<void> {
  const { memberId, event, template, locale, to, params } = mail
  templates[template].parse(params)
  const deliverable = isAddress(to)
  const id = await insertMessage(tx, {
    memberId,
    event,
    template,
    locale: readLocale(locale),
    to: deliverable ? to : oneLine(to, 320),
    params: JSON.stringify(params),
    now,
  })
  if (id === null) return
  if (deliverable) await enqueueSending(tx, memberId, id, null, 'code' in params ? 0 : CAN_WAIT)
  else await giveUp(tx, { memberId, id }, { token: null, error: 'this is no address' })
}

/**
 * What only tells comes last of all jobs: behind ten thousand messages a code would have lapsed when it arrives, and whoever
 * looks for another job would look at each of them first (ten thousand withdrawals: a minute of the database's processors).
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

/** How many messages wait to be sent, and how many were given up. */
export async function mailBacklog(db: Db): Promise<{ queued: number; given_up: number }> {
  return countUnsent(db)
}

/** Forgets messages that were sent more than ninety days ago. @param now system time */
export function forgetSent(db: Db, now: Date): Promise<number> {
  return inBatches((most) => deleteOld(db, now, most))
}
