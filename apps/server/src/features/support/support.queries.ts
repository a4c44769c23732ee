/** Conversations with support, as the member and as operators read them. */
import type { SupportState } from '@aval/contract'
import type { Db } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { countUnread, selectMessages, selectQueue, selectQueued, selectThread } from './support.sql.ts'

type Messages = Awaited<ReturnType<typeof selectMessages>>
export type MessageRow = Messages['rows'][number]
export type QueuedRow = Awaited<ReturnType<typeof selectQueue>>['rows'][number]

/** How far each side has read. */
export interface Marks {
  readonly member: bigint
  readonly operators: bigint
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

/** A page of the queue, and how long it is. */
export function listThreads(
  db: Db,
  state: SupportState | null,
  limit: number,
  offset: number,
): Promise<{ rows: QueuedRow[]; count: number }> {
  return selectQueue(db, state, limit, offset)
}

export interface Dossier extends Pick<Conversation, 'marks' | 'rows' | 'count'> {
  readonly thread: QueuedRow
}

/** One member's conversation. @throws Refusal `support_thread_not_found` */
export async function readConversation(
  db: Db,
  memberId: bigint | null,
  limit: number,
  offset: number,
): Promise<Dossier> {
  if (memberId === null) throw new Refusal('support_thread_not_found')
  const [queued, thread, { rows, count }] = await Promise.all([
    selectQueued(db, memberId),
    selectThread(db, memberId),
    selectMessages(db, memberId, limit, offset),
  ])
  if (queued === undefined || thread === undefined) throw new Refusal('support_thread_not_found')
  const marks = { member: thread.member_read_id, operators: thread.operator_read_id }
  return { thread: queued, marks, rows, count }
}
