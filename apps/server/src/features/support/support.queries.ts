/** Conversations with support, as the member reads them. */
import type { Db } from '@aval/db'
import { countOf, query } from '../../core/query.sql.ts'
import { countUnread, selectThread } from './support.sql.ts'

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
export async function selectMessages(db: Db, memberId: bigint, limit: number, offset: number) {
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
