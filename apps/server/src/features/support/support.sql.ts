/** Conversations: a member's own by its key, and the operators' queue a page at a time. */

import type { Locale, OperatorRole, SupportState, SupportTopic } from '@aval/contract'
import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, type RawBuilder, sql } from 'kysely'
import { asRead } from '../../core/names.sql.ts'
import { query } from '../../core/query.sql.ts'

export interface ThreadRow {
  readonly state: SupportState
  readonly waiting_since: Date | null
  readonly member_read_id: bigint
  readonly operator_read_id: bigint
  readonly assigned_to: bigint | null
}

/** Locks a member's conversation, which begins here where there is none. */
export async function lockOrBegin(tx: Tx, memberId: bigint, at: Date): Promise<ThreadRow> {
  await tx
    .insertInto('support_thread')
    .values({ member_id: memberId, state: 'open', waiting_since: at, last_at: at })
    .onConflict((conflict) => conflict.column('member_id').doNothing())
    .execute()
  const row = await lockThread(tx, memberId)
  if (row === undefined) throw new Error(`the conversation of member ${memberId} is gone`)
  return row
}

const threadOf = (db: Db, memberId: bigint) =>
  db
    .selectFrom('support_thread')
    .select(['state', 'waiting_since', 'member_read_id', 'operator_read_id', 'assigned_to'])
    .$narrowType<{ state: SupportState }>()
    .where('member_id', '=', memberId)

/** Locks a member's conversation; undefined where there is none. */
export function lockThread(tx: Tx, memberId: bigint): Promise<ThreadRow | undefined> {
  return threadOf(tx, memberId).forUpdate().executeTakeFirst()
}

export function selectThread(db: Db, memberId: bigint): Promise<ThreadRow | undefined> {
  return threadOf(db, memberId).executeTakeFirst()
}

/** The one setter of a conversation's state; its lock is held. */
export async function updateThread(
  tx: Tx,
  memberId: bigint,
  set: { state: SupportState; waitingSince: Date | null; topic?: SupportTopic | null; lastAt?: Date },
): Promise<void> {
  await tx
    .updateTable('support_thread')
    .set({
      state: set.state,
      waiting_since: set.waitingSince,
      ...(set.topic === undefined ? {} : { topic: set.topic }),
      ...(set.lastAt === undefined ? {} : { last_at: set.lastAt }),
    })
    .where('member_id', '=', memberId)
    .execute()
}

/** Who has it from now on; null for nobody. Its lock is held. */
export async function updateAssigned(
  tx: Tx,
  memberId: bigint,
  operatorId: bigint | null,
  at: Date,
): Promise<void> {
  await tx
    .updateTable('support_thread')
    .set({ assigned_to: operatorId, assigned_at: operatorId === null ? null : at })
    .where('member_id', '=', memberId)
    .execute()
}

/** Who has a conversation, and since when; undefined where nobody has. */
export function selectAssigned(db: Db, memberId: bigint) {
  return db
    .selectFrom('support_thread as t')
    .innerJoin('member as o', 'o.id', 't.assigned_to')
    .select(['o.id', 'o.username', 't.assigned_at'])
    .where('t.member_id', '=', memberId)
    .executeTakeFirst()
}

/** Operators whose role is among these, by name. There are few, and an index has them. */
export function selectOperators(db: Db, roles: readonly OperatorRole[], locale: Locale) {
  return db
    .selectFrom('member')
    .select(['id', 'username'])
    .where('is_operator', '=', true)
    .where('operator_role', 'in', [...roles])
    .orderBy(sql`username ${asRead(locale)}`)
    .limit(MOST_OPERATORS)
    .execute()
}
const MOST_OPERATORS = 200

/** Adds a message to a conversation whose lock is held. */
export async function insertMessage(tx: Tx, message: Insertable<DB['support_message']>): Promise<bigint> {
  const row = await tx.insertInto('support_message').values(message).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/** What one side has written since the other last looked. */
const UNREAD = {
  member: sql`operator_id IS NOT NULL AND id > t.member_read_id`,
  operators: sql`operator_id IS NULL AND id > t.operator_read_id`,
} as const
export type Reader = keyof typeof UNREAD

export const unreadBy = (reader: Reader): RawBuilder<unknown> =>
  sql`(SELECT count(*)::int FROM support_message WHERE member_id = t.member_id AND ${UNREAD[reader]})`

/** How many messages this side has not seen. */
export async function countUnread(db: Db, memberId: bigint, reader: Reader): Promise<number> {
  const rows = await query<{ unread: number }>(db)`
    SELECT ${unreadBy(reader)} AS unread FROM support_thread t WHERE t.member_id = ${memberId}`
  return rows[0]?.unread ?? 0
}

/** This side has seen everything up to a message that exists. Marks only go forward. */
export async function advanceMark(db: Db, memberId: bigint, reader: Reader, id: bigint): Promise<void> {
  const column = reader === 'member' ? 'member_read_id' : 'operator_read_id'
  await query(db)`
    UPDATE support_thread t SET ${sql.ref(column)} = m.id
    FROM (SELECT max(id) AS id FROM support_message WHERE member_id = ${memberId} AND id <= ${id}) m
    WHERE t.member_id = ${memberId} AND m.id > t.${sql.ref(column)}`
}

/** When the member's first message came after this one; null where there is none. */
export async function selectUnseenSince(db: Db, memberId: bigint, seen: bigint): Promise<Date | null> {
  const row = await db
    .selectFrom('support_message')
    .select('at')
    .where('member_id', '=', memberId)
    .where('operator_id', 'is', null)
    .where('id', '>', seen)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return row?.at ?? null
}

const MOST_QUOTED = 20

/** What the member wrote since the last answer, up to a message, oldest first. @param seen null for all of it */
export async function selectQuestions(db: Db, memberId: bigint, seen: bigint | null): Promise<string[]> {
  const rows = await query<{ text: string }>(db)`
    SELECT text FROM (SELECT id, text FROM support_message
      WHERE member_id = ${memberId} AND operator_id IS NULL AND (${seen}::bigint IS NULL OR id <= ${seen})
        AND id > coalesce((SELECT max(id) FROM support_message WHERE member_id = ${memberId} AND operator_id IS NOT NULL), 0)
      ORDER BY id DESC LIMIT ${MOST_QUOTED}) newest ORDER BY id`
  return rows.map(({ text }) => text)
}

/** Where a member is written to. */
export function selectMember(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .select(['email', 'locale'])
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
}
