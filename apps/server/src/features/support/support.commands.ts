/** A member's side of the conversation: asking, reading, and how far one has read. */
import type { SupportState, SupportTopic } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { afterQuestion } from './support.rules.ts'
import {
  advanceMark,
  countUnread,
  insertMessage,
  lockOrBegin,
  type MessageRow,
  selectMessages,
  selectThread,
  updateThread,
} from './support.sql.ts'

export type { MessageRow } from './support.sql.ts'

/** How far each side has read. */
export interface Marks {
  readonly member: bigint
  readonly operators: bigint
}

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

export interface Conversation {
  /** Null before the first message. */
  readonly state: SupportState | null
  readonly marks: Marks
  readonly rows: readonly MessageRow[]
  readonly count: number
  /** Answers that the member has not seen. */
  readonly unread: number
}

/** A page of what a member and the operators wrote to each other, newest first. */
export async function readMessages(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<Conversation> {
  const [thread, { rows, count }, unread] = await Promise.all([
    selectThread(db, memberId),
    selectMessages(db, memberId, limit, offset),
    countUnread(db, memberId, 'member'),
  ])
  const marks = { member: thread?.member_read_id ?? 0n, operators: thread?.operator_read_id ?? 0n }
  return { state: thread?.state ?? null, marks, rows, count, unread }
}

/** The member has seen everything up to this message. @returns how many answers are left unseen */
export async function markSeen(db: Db, memberId: bigint, id: bigint): Promise<number> {
  await advanceMark(db, memberId, 'member', id)
  return countUnread(db, memberId, 'member')
}
