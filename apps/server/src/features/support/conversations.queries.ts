/** Conversations as operators read them: the queue, one of them, who has it, the notes about it. */
import { ABILITIES, type Locale, MOST_COUNTED, type SupportQueue } from '@aval/contract'
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { countUpTo, query } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { selectMessages } from './support.queries.ts'
import { selectOperators, selectThread, unreadBy } from './support.sql.ts'

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
  /** The operator who has it. */
  readonly assignee: string | null
  readonly assigned_at: Date | null
}

/** As constants, so that each finds its index. Who waits has an instant, and comes first by it. */
const OF_QUEUE: Readonly<Record<Exclude<SupportQueue, 'mine'> | 'all', RawBuilder<unknown>>> = {
  all: sql.raw('true'),
  open: sql.raw('waiting_since IS NOT NULL'),
  unassigned: sql.raw('waiting_since IS NOT NULL AND assigned_to IS NULL'),
  answered: sql.raw(`state = 'answered'`),
  closed: sql.raw(`state = 'closed'`),
}
const WAITING_FIRST = sql.raw('waiting_since, last_at DESC, member_id')
const NEWEST_FIRST = sql.raw('last_at DESC, member_id')
/** Code points: the presenter shows fewer, and ends between two characters. */
const READ_OF_MESSAGE = 400

const QUEUED = sql`t.member_id, m.username, m.email, t.state, t.topic, t.waiting_since, t.last_at,
  (SELECT left(text, ${sql.lit(READ_OF_MESSAGE)}) FROM support_message WHERE member_id = t.member_id ORDER BY id DESC LIMIT 1) AS excerpt,
  ${unreadBy('operators')} AS unread, o.username AS assignee, t.assigned_at`
const ITS_PEOPLE = sql`JOIN member m ON m.id = t.member_id LEFT JOIN member o ON o.id = t.assigned_to`

const whereOf = (queue: SupportQueue | null, operatorId: bigint) =>
  queue === 'mine' ? sql`assigned_to = ${operatorId}` : OF_QUEUE[queue ?? 'all']

/**
 * A page of the queue, and how long it is, up to a limit: who waits longest first, then what was written last.
 * @param operatorId who asks, for what is theirs
 */
export async function listThreads(
  db: Db,
  queue: SupportQueue | null,
  operatorId: bigint,
  limit: number,
  offset: number,
) {
  const where = whereOf(queue, operatorId)
  const order = queue === 'answered' || queue === 'closed' ? NEWEST_FIRST : WAITING_FIRST
  const rows = await query<QueuedRow>(db)`
    SELECT ${QUEUED}
    FROM (SELECT * FROM support_thread WHERE ${where} ORDER BY ${order} LIMIT ${limit} OFFSET ${Math.min(offset, MOST_COUNTED)}) t
      ${ITS_PEOPLE} ORDER BY ${order}`
  return { rows, count: await countUpTo(db, MOST_COUNTED)`support_thread WHERE ${where}` }
}

/** The same by member, for who reads all of it. @param after null for the first */
export function threadsAfter(
  db: Db,
  queue: SupportQueue | null,
  operatorId: bigint,
  after: QueuedRow | null,
  limit: number,
): Promise<QueuedRow[]> {
  return query<QueuedRow>(db)`
    SELECT ${QUEUED} FROM (SELECT * FROM support_thread WHERE ${whereOf(queue, operatorId)} AND member_id > ${after?.member_id ?? 0n}
      ORDER BY member_id LIMIT ${limit}) t ${ITS_PEOPLE} ORDER BY t.member_id`
}

export const countThreads = (db: Db, queue: SupportQueue | null, operatorId: bigint, most: number) =>
  countUpTo(db, most)`support_thread WHERE ${whereOf(queue, operatorId)}`

async function selectQueued(db: Db, memberId: bigint): Promise<QueuedRow | undefined> {
  const rows = await query<QueuedRow>(
    db,
  )`SELECT ${QUEUED} FROM support_thread t ${ITS_PEOPLE} WHERE t.member_id = ${memberId}`
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

/** Who answers members, by name, and how many conversations each has. */
export async function listAssignees(db: Db, locale: Locale) {
  const operators = await selectOperators(db, ABILITIES['support.answer'], locale)
  const rows = await query<{ id: bigint; count: number }>(db)`
    SELECT asked.id, (SELECT count(*)::int FROM (SELECT FROM support_thread WHERE assigned_to = asked.id LIMIT ${MOST_COUNTED}) c) AS count
    FROM unnest(${operators.map(({ id }) => id)}::bigint[]) AS asked (id)`
  return operators.map(({ id, username }) => ({
    operator: username,
    conversations: rows.find((row) => row.id === id)?.count ?? 0,
  }))
}
