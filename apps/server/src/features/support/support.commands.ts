/** Writing to support, answering, closing without an answer, and how far each side has read. */
import type { SupportTopic } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import type { Context } from '../../core/context.ts'
import { Refusal } from '../../core/refusal.ts'
import { queueMail } from '../mail/mail.commands.ts'
import type { Marks, MessageRow } from './support.queries.ts'
import { afterAnswer, afterClosing, afterQuestion, questionOf, waitedFor } from './support.rules.ts'
import * as store from './support.sql.ts'

/** A message that was added, and how far each side had read. */
interface Written {
  readonly row: MessageRow
  readonly marks: Marks
}

/** Adds a member's message, which opens the conversation. @param asking.now system time */
export async function askSupport(
  tx: Tx,
  asking: { memberId: bigint; text: string; topic: SupportTopic | null; now: Date },
): Promise<Written> {
  const { memberId, text, topic, now: at } = asking
  const thread = await store.lockOrBegin(tx, memberId, at)
  const standing = afterQuestion({ state: thread.state, waitingSince: thread.waiting_since }, at)
  const message = { operator_id: null, topic, text, at }
  const id = await store.insertMessage(tx, { member_id: memberId, ...message })
  const about = topic === null ? {} : { topic }
  await store.updateThread(tx, memberId, { ...standing, ...about, lastAt: at })
  return {
    row: { id, operator: null, ...message },
    marks: { member: thread.member_read_id, operators: thread.operator_read_id },
  }
}

/** The member has seen everything up to this message. @returns how many answers are left unseen */
export async function markSeen(db: Db, memberId: bigint, id: bigint): Promise<number> {
  await store.advanceMark(db, memberId, 'member', id)
  return store.countUnread(db, memberId, 'member')
}

export const missing = () => new Refusal('support_thread_not_found')

/** An operator has seen everything up to this message. @returns how many of the member's are left unseen */
export async function markSeenByOperators(db: Db, memberId: bigint | null, id: bigint): Promise<number> {
  if (memberId === null || (await store.selectThread(db, memberId)) === undefined) throw missing()
  await store.advanceMark(db, memberId, 'operators', id)
  return store.countUnread(db, memberId, 'operators')
}

/** What an operator does to a conversation, and up to where it had been seen; null for all of it. */
export interface Handling {
  readonly operator: { readonly id: bigint; readonly username: string }
  readonly memberId: bigint | null
  readonly seen: bigint | null
  /** System time. */
  readonly now: Date
}

const unseenSince = async (tx: Tx, memberId: bigint, seen: bigint | null) =>
  seen === null ? null : store.selectUnseenSince(tx, memberId, seen)

/** In the trail, under the member. */
export async function record(
  tx: Tx,
  { operator, now }: Pick<Handling, 'operator' | 'now'>,
  memberId: bigint,
  verb: 'assign' | 'answer' | 'close',
  details = {},
) {
  await recordAudit(tx, {
    at: now,
    actorId: operator.id,
    action: `support.${verb}`,
    outcome: 'done',
    subject: `member:${memberId}`,
    details,
  })
}

/** The answer goes to the member's mailbox as well, once, in the member's language. */
async function tell(
  context: Context,
  tx: Tx,
  memberId: bigint,
  answer: { id: bigint; text: string; question: string | null; now: Date },
): Promise<void> {
  const member = await store.selectMember(tx, memberId)
  const { id, text, question, now } = answer
  await queueMail(
    tx,
    {
      memberId,
      to: member.email,
      locale: member.locale,
      event: `support:${id}:answer`,
      template: 'support_answer',
      params: {
        answer: text,
        ...(question === null ? {} : { question }),
        link: `${context.config.publicUrl}/dashboard?chat=open`,
      },
    },
    now,
  )
}

/**
 * Answers a member, in the conversation and by e-mail. Who answers a conversation that nobody has, has it from then on. What the member wrote after the operator looked goes on waiting.
 * @throws Refusal `support_thread_not_found`
 */
export async function answerMember(context: Context, tx: Tx, handling: Handling & { readonly text: string }) {
  const { memberId, operator, text, seen, now } = handling
  const thread = memberId === null ? undefined : await store.lockThread(tx, memberId)
  if (memberId === null || thread === undefined) throw missing()
  const unseen = await unseenSince(tx, memberId, seen)
  const question = questionOf(await store.selectQuestions(tx, memberId, seen))
  const message = { operator_id: operator.id, topic: null, text, at: now }
  const waited = { waited_seconds: waitedFor(thread.waiting_since, now) }
  const id = await store.insertMessage(tx, { member_id: memberId, ...message, ...waited })
  await store.updateThread(tx, memberId, { ...afterAnswer(unseen), lastAt: now })
  if (thread.assigned_to === null) await store.updateAssigned(tx, memberId, operator.id, now)
  await store.advanceMark(tx, memberId, 'operators', seen ?? id)
  await tell(context, tx, memberId, { id, text, question, now })
  await record(tx, handling, memberId, 'answer', { message: String(id) })
  return {
    row: { id, operator: operator.username, ...message },
    marks: { member: thread.member_read_id, operators: seen ?? id },
  }
}

/**
 * Sets a conversation aside without an answer, and is nobody's then. Asked again, nothing more happens.
 * @throws Refusal `support_thread_not_found`; `support_newer` where the member wrote after the operator looked
 */
export async function closeThread(tx: Tx, handling: Handling): Promise<void> {
  const { memberId, seen } = handling
  const thread = memberId === null ? undefined : await store.lockThread(tx, memberId)
  if (memberId === null || thread === undefined) throw missing()
  if (thread.state === 'closed') return
  const standing = afterClosing(await unseenSince(tx, memberId, seen))
  if (standing === null) throw new Refusal('support_newer')
  await store.updateAssigned(tx, memberId, null, handling.now)
  await store.updateThread(tx, memberId, standing)
  await record(tx, handling, memberId, 'close')
}
