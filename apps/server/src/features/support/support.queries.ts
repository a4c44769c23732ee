/** Conversations with support, as the member and as operators read them. */
import type { SupportState } from '@aval/contract'
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { countOf, query } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { countUnread, selectThread, unreadBy } from './support.sql.ts'

export interface MessageRow {
  readonly id: bigint
  readonly operator_id: bigint | null
  /** The operator's username. */
  readonly operator: string | null
  readonly topic: string | null
  readonly text: string
  readonly at: Date
}

/** How far each side has read. */
export interface Marks {
  readonly member: bigint
  readonly operators: bigint
}

/** A page of a conversation, newest first, and how long all of it is. */
async function selectMessages(db: Db, memberId: bigint, limit: number, offset: number) {
  const rows = await query<MessageRow>(db)`
    SELECT s.id, s.operator_id, o.username AS operator, s.topic, s.text, s.at
    FROM (SELECT * FROM support_message WHERE member_id = ${memberId} ORDER BY id DESC LIMIT ${limit} OFFSET ${offset}) s
      LEFT JOIN member o ON o.id = s.operator_id ORDER BY s.id DESC`
  return { rows, count: await countOf(db)`support_message WHERE member_id = ${memberId}` }
}

/** A page of what a member and the operators wrote to each other, newest first. */
export async function readMessages(db: Db, memberId: bigint, limit: number, offset: number) {
  const [thread, { rows, count }, unread] = await Promise.all([
    selectThread(db, memberId),
    selectMessages(db, memberId, limit, offset),
    countUnread(db, memberId, 'member'),
  ])
  const marks = { member: thread?.member_read_id ?? 0n, operators: thread?.operator_read_id ?? 0n }
  return { state: thread?.state ?? null, marks, rows, count, unread }
}

export interface QueuedRow {
  readonly member_id: bigint
  readonly username: string
  readonly email: string
  readonly state: string
  readonly topic: string | null
  readonly waiting_since: Date | null
  readonly last_at: Date
  readonly excerpt: string | null
  readonly unread: number
}

/** As constants, so that each finds its index. Who waits has an instant, and comes first by it. */
const OF_STATE: Readonly<Record<SupportState | 'all', RawBuilder<unknown>>> = {
  all: sql.raw('true'),
  open: sql.raw('waiting_since IS NOT NULL'),
  answered: sql.raw(`state = 'answered'`),
  closed: sql.raw(`state = 'closed'`),
}
const WAITING_FIRST = sql.raw('waiting_since, last_at DESC, member_id')
const NEWEST_FIRST = sql.raw('last_at DESC, member_id')
const LONGEST_EXCERPT = 160

const QUEUED = sql`t.member_id, m.username, m.email, t.state, t.topic, t.waiting_since, t.last_at,
  (SELECT left(text, ${sql.lit(LONGEST_EXCERPT)}) FROM support_message WHERE member_id = t.member_id ORDER BY id DESC LIMIT 1) AS excerpt,
  ${unreadBy('operators')} AS unread`

/** A page of the queue, and how long it is: who waits longest first, then what was written last. */
export async function listThreads(db: Db, state: SupportState | null, limit: number, offset: number) {
  const where = OF_STATE[state ?? 'all']
  const order = state === null || state === 'open' ? WAITING_FIRST : NEWEST_FIRST
  const rows = await query<QueuedRow>(db)`
    SELECT ${QUEUED}
    FROM (SELECT * FROM support_thread WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${offset}) t
      JOIN member m ON m.id = t.member_id ORDER BY ${order}`
  return { rows, count: await countOf(db)`support_thread WHERE ${where}` }
}

async function selectQueued(db: Db, memberId: bigint): Promise<QueuedRow | undefined> {
  const rows = await query<QueuedRow>(db)`
    SELECT ${QUEUED} FROM support_thread t JOIN member m ON m.id = t.member_id WHERE t.member_id = ${memberId}`
  return rows[0]
}

/** One member's conversation. @throws Refusal `support_thread_not_found` */
export async function readConversation(db: Db, memberId: bigint | null, limit: number, offset: number) {
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
