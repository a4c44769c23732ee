/** A member's side of the conversation: writing, and how far the member has read. */
import type { SupportTopic } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import type { Marks } from './support.queries.ts'
import { afterQuestion } from './support.rules.ts'
import {
  advanceMark,
  countUnread,
  insertMessage,
  lockOrBegin,
  type MessageRow,
  updateThread,
} from './support.sql.ts'

export interface Asked {
  readonly row: MessageRow
  readonly marks: Marks
}

/** Adds a member's message, which opens the conversation. @param asking.now system time */
export async function askSupport(
  tx: Tx,
  asking: { memberId: bigint; text: string; topic: SupportTopic | null; now: Date },
): Promise<Asked> {
  const { memberId, text, topic, now: at } = asking
  const thread = await lockOrBegin(tx, memberId, at)
  const standing = afterQuestion({ state: thread.state, waitingSince: thread.waiting_since }, at)
  const id = await insertMessage(tx, { memberId, operatorId: null, topic, text, at })
  const about = topic === null ? {} : { topic }
  await updateThread(tx, memberId, { ...standing, ...about, lastAt: at })
  return {
    row: { id, operator_id: null, operator: null, topic, text, at },
    marks: { member: thread.member_read_id, operators: thread.operator_read_id },
  }
}

/** The member has seen everything up to this message. @returns how many answers are left unseen */
export async function markSeen(db: Db, memberId: bigint, id: bigint): Promise<number> {
  await advanceMark(db, memberId, 'member', id)
  return countUnread(db, memberId, 'member')
}
