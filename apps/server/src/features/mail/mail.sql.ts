import type { Locale } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

/** The primary key of a message. */
export interface MessageKey {
  readonly memberId: bigint
  readonly id: bigint
}

/** @returns its number; null when the member has a message about this event already */
export async function insertMessage(
  tx: Tx,
  message: {
    memberId: bigint
    event: string
    template: string
    locale: Locale
    to: string
    params: string
    now: Date
  },
): Promise<bigint | null> {
  const row = await tx
    .insertInto('mail_message')
    .values({
      member_id: message.memberId,
      event: message.event,
      template: message.template,
      locale: message.locale,
      to_address: message.to,
      params: message.params,
      created_at: message.now,
      next_try_at: message.now,
    })
    .onConflict((conflict) => conflict.columns(['member_id', 'event']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

/** A message to deliver. */
export interface Claimed {
  readonly template: string
  readonly params: unknown
  readonly locale: string
  readonly to: string
  readonly createdAt: Date
  readonly messageId: string
  /** This one included. */
  readonly attempts: number
}

/**
 * Claims a due message for one delivery; undefined when it is not due, not queued, or claimed by another worker.
 * @param until when the claim lapses
 * @param host the part after the @ of a new Message-ID
 */
export async function claimMessage(
  db: Db,
  { memberId, id }: MessageKey,
  claim: { token: string; host: string; now: Date; until: Date },
): Promise<Claimed | undefined> {
  const row = await db
    .updateTable('mail_message')
    .set({
      claim: claim.token,
      next_try_at: claim.until,
      attempts: sql<number>`attempts + 1`,
      message_id: sql<string>`coalesce(message_id, '<aval-' || gen_random_uuid() || '@' || ${claim.host}::text || '>')`,
    })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('next_try_at', '<=', claim.now)
    .returning(['template', 'params', 'locale', 'to_address', 'created_at', 'message_id', 'attempts'])
    .executeTakeFirst()
  if (row === undefined) return undefined
  const { template, params, locale, attempts, to_address: to, created_at: createdAt } = row
  return { template, params, locale, to, createdAt, attempts, messageId: row.message_id ?? '' }
}

const WITHOUT_SECRETS = sql<string>`params - ARRAY['code', 'notMeUrl']`

/** Whoever has the claim by now: the mail server has the message. */
export async function markSent(db: Db, { memberId, id }: MessageKey, now: Date): Promise<void> {
  await db
    .updateTable('mail_message')
    .set({ state: 'sent', sent_at: now, claim: null, last_error: null, params: WITHOUT_SECRETS })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .execute()
}

/** It stays queued. @returns false when another worker has claimed it since */
export async function putOff(
  tx: Tx,
  { memberId, id }: MessageKey,
  failure: { token: string; error: string; nextTryAt: Date },
): Promise<boolean> {
  const row = await tx
    .updateTable('mail_message')
    .set({ claim: null, last_error: failure.error, next_try_at: failure.nextTryAt })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('claim', '=', failure.token)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** @param token of the claim; null for a message that was never claimed */
export async function giveUp(
  db: Db,
  { memberId, id }: MessageKey,
  failure: { token: string | null; error: string },
): Promise<void> {
  await db
    .updateTable('mail_message')
    .set({ state: 'given_up', claim: null, last_error: failure.error, params: WITHOUT_SECRETS })
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .where('state', '=', 'queued')
    .where('claim', failure.token === null ? 'is' : '=', failure.token)
    .execute()
}

/** Due messages, longest waiting first. */
export async function selectDue(db: Db, now: Date, limit: number): Promise<MessageKey[]> {
  const rows = await db
    .selectFrom('mail_message')
    .select(['member_id', 'id'])
    .where('state', '=', 'queued')
    .where('next_try_at', '<=', now)
    .orderBy('next_try_at')
    .limit(limit)
    .execute()
  return rows.map(({ member_id: memberId, id }) => ({ memberId, id }))
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
  const { rows } = await sql<{ n: number }>`SELECT purge_mail(${now}, ${most}::int) AS n`.execute(db)
  return rows[0]?.n ?? 0
}
