import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, sql } from 'kysely'
import { queryValue } from '../../core/query.sql.ts'

/** The primary key of a message. */
export interface MessageKey {
  readonly memberId: bigint
  readonly id: bigint
}

/** A message that waits to be sent. */
const queued = (db: Db, { memberId, id }: MessageKey) =>
  db
    .updateTable('mail_message')
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('state', '=', 'queued')

/** @returns its number; null when the member has a message about this event already */
export async function insertMessage(tx: Tx, message: Insertable<DB['mail_message']>): Promise<bigint | null> {
  const row = await tx
    .insertInto('mail_message')
    .values(message)
    .onConflict((conflict) => conflict.columns(['member_id', 'event']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** Stores many; a member's second message about one event is left out. */
export async function insertMessages(
  tx: Tx,
  messages: readonly Insertable<DB['mail_message']>[],
): Promise<void> {
  if (messages.length === 0) return
  await tx
    .insertInto('mail_message')
    .values(messages)
    .onConflict((conflict) => conflict.columns(['member_id', 'event']).doNothing())
    .execute()
}

/** Where a member is written to, and in which language; undefined where the account is closed. */
export function selectRecipient(db: Db, memberId: bigint) {
  return db
    .selectFrom('member')
    .select(['email', 'locale'])
    .where('id', '=', memberId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
}

/** The same of many, by member. */
export async function selectRecipients(db: Db, memberIds: readonly bigint[]) {
  if (memberIds.length === 0) return new Map<bigint, { email: string; locale: string }>()
  const rows = await db
    .selectFrom('member')
    .select(['id', 'email', 'locale'])
    .where('id', 'in', [...new Set(memberIds)])
    .where('closed_at', 'is', null)
    .execute()
  return new Map(rows.map(({ id, email, locale }) => [id, { email, locale }]))
}

/** What a message says and how far it is; undefined where its member has no such message. */
export function selectMessage(db: Db, { memberId, id }: MessageKey) {
  return db
    .selectFrom('mail_message')
    .select(['template', 'params', 'state'])
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** When the member's newest message with a code was asked for that has not left yet. */
export async function selectWaitingCode(db: Db, memberId: bigint): Promise<Date | null> {
  const row = await db
    .selectFrom('mail_message')
    .select('created_at')
    .where('member_id', '=', memberId)
    .where('state', '=', 'queued')
    .where(sql<boolean>`params ? 'code'`)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.created_at ?? null
}

/**
 * Since when no mail leaves: of messages that were tried in vain after the last one that left, when the first was asked for.
 * @param from older ones are left out
 */
export async function selectStandstill(db: Db, from: Date): Promise<Date | null> {
  const { since } = await db
    .selectFrom('mail_message')
    .select((row) => row.fn.min<Date | null>('created_at').as('since'))
    .where('state', '=', 'queued')
    .where('last_error', 'is not', null)
    .where('created_at', '>', from)
    .where(
      sql<boolean>`created_at > coalesce((SELECT max(sent_at) FROM mail_message WHERE state = 'sent'), '-infinity')`,
    )
    .executeTakeFirstOrThrow()
  return since
}

/**
 * Claims a due message for one delivery; undefined when it is not due, not queued, or claimed by another worker.
 * @param until when the claim lapses
 * @param host the part after the @ of a new Message-ID
 * @returns the message; `attempts` counts this one too
 */
export function claimMessage(
  db: Db,
  key: MessageKey,
  claim: { token: string; host: string; now: Date; until: Date },
) {
  return queued(db, key)
    .where('next_try_at', '<=', claim.now)
    .set({
      claim: claim.token,
      next_try_at: claim.until,
      attempts: sql<number>`attempts + 1`,
      message_id: sql<string>`coalesce(message_id, '<aval-' || gen_random_uuid() || '@' || ${claim.host}::text || '>')`,
    })
    .returning(['template', 'params', 'locale', 'to_address as to', 'created_at as createdAt', 'attempts'])
    .returning((row) =>
      row
        .selectFrom('member')
        .select('region')
        .whereRef('member.id', '=', 'mail_message.member_id')
        .as('region'),
    )
    .returning((row) => row.ref('message_id').$notNull().as('messageId'))
    .executeTakeFirst()
}

const WITHOUT_SECRETS = sql<string>`params - ARRAY['code', 'notMeUrl', 'resetUrl', 'invitationUrl']`

/** The mail server has the message, whether or not the claim is still ours. */
export async function markSent(db: Db, key: MessageKey, now: Date): Promise<void> {
  await queued(db, key)
    .set({ state: 'sent', sent_at: now, claim: null, last_error: null, params: WITHOUT_SECRETS })
    .execute()
}

/** It stays queued. @returns false when another worker has claimed it since */
export async function putOff(
  tx: Tx,
  key: MessageKey,
  failure: { token: string; error: string; nextTryAt: Date },
): Promise<boolean> {
  const row = await queued(tx, key)
    .where('claim', '=', failure.token)
    .set({ claim: null, last_error: failure.error, next_try_at: failure.nextTryAt })
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** @param token of the claim; null for a message that was never claimed */
export async function giveUp(
  db: Db,
  key: MessageKey,
  { token, error }: { token: string | null; error: string },
): Promise<void> {
  await queued(db, key)
    .where('claim', token === null ? 'is' : '=', token)
    .set({ state: 'given_up', claim: null, last_error: error, params: WITHOUT_SECRETS })
    .execute()
}

/** Due messages, longest waiting first. */
export function selectDue(db: Db, now: Date, limit: number): Promise<MessageKey[]> {
  return db
    .selectFrom('mail_message')
    .select(['member_id as memberId', 'id'])
    .where('state', '=', 'queued')
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(limit)
    .execute()
}

/** How many messages wait, and how many were given up. */
export async function countUnsent(db: Db): Promise<{ queued: number; given_up: number }> {
  const rows = await db
    .selectFrom('mail_message')
    .select(['state', sql<number>`count(*)::int`.as('n')])
    .where('state', '<>', 'sent')
    .groupBy('state')
    .execute()
  const of = (state: string) => rows.find((row) => row.state === state)?.n ?? 0
  return { queued: of('queued'), given_up: of('given_up') }
}

/** Deletes sent messages past their retention, oldest first. @returns how many */
export async function deleteOld(db: Db, now: Date, most: number): Promise<number> {
  return queryValue<number>(db)`SELECT purge_mail(${now}, ${most}::int) AS n`
}
