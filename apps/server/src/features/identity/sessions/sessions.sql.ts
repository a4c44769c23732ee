import type { DB, Db, Tx } from '@aval/db'
import { type Insertable, sql } from 'kysely'
import { countOf, query } from '../../../core/query.sql.ts'

export type EndReason = 'logout' | 'reuse' | 'password' | 'not_me' | 'two_factor' | 'ended'

export async function insertSession(tx: Tx, session: Insertable<DB['session']>): Promise<string> {
  const row = await tx.insertInto('session').values(session).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function insertRefreshToken(tx: Tx, token: Insertable<DB['refresh_token']>): Promise<void> {
  await tx.insertInto('refresh_token').values(token).execute()
}

export function selectRefreshToken(db: Db, hash: string) {
  return db
    .selectFrom('refresh_token')
    .select(['member_id', 'session_id', 'issued_at', 'used_at'])
    .where('token_hash', '=', hash)
    .executeTakeFirst()
}

const sessionOf = (tx: Tx, memberId: bigint, sessionId: string) =>
  tx
    .selectFrom('session')
    .select(['started_at', 'ended_at'])
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)

/** Every refresh of a session holds this lock. */
export function lockSession(tx: Tx, memberId: bigint, sessionId: string) {
  return sessionOf(tx, memberId, sessionId)
    .select('acted_at')
    .select(sql<boolean>`(SELECT m.is_operator FROM member m WHERE m.id = ${memberId})`.as('is_operator'))
    .forUpdate()
    .executeTakeFirst()
}

/** Keeps a live session from ending before this transaction does; undefined when it has ended. */
export function holdSession(tx: Tx, memberId: bigint, sessionId: string) {
  const live = sessionOf(tx, memberId, sessionId).where('ended_at', 'is', null)
  return live.forShare().executeTakeFirst()
}

/** Marks every unused token of a session as used. */
export async function markTokensUsed(tx: Tx, memberId: bigint, sessionId: string, now: Date): Promise<void> {
  await tx
    .updateTable('refresh_token')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .execute()
}

/**
 * Ends a member's live sessions: all of them, `only` one, or all `except` one.
 * @returns how many ended; of two calls that end the same session at once, one counts it
 */
export async function endSessions(
  tx: Tx,
  memberId: bigint,
  because: EndReason,
  now: Date,
  which: { readonly only?: string; readonly except?: string | null } = {},
): Promise<number> {
  const { only, except = null } = which
  let query = tx
    .updateTable('session')
    .set({ ended_at: now, ended_because: because })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
  if (only !== undefined) query = query.where('id', '=', only)
  if (except !== null) query = query.where('id', '<>', except)
  return (await query.returning('id').execute()).length
}

/** Whether a session proved the second factor. */
export async function isVerified(tx: Tx, memberId: bigint, sessionId: string): Promise<boolean> {
  const session = sessionOf(tx, memberId, sessionId).where('second_factor_at', 'is not', null)
  return (await session.executeTakeFirst()) !== undefined
}

export async function setSecondFactor(tx: Tx, memberId: bigint, sessionId: string, now: Date): Promise<void> {
  await tx
    .updateTable('session')
    .set({ second_factor_at: now })
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .execute()
}

export async function setElevation(tx: Tx, memberId: bigint, sessionId: string, until: Date): Promise<void> {
  const own = tx.updateTable('session').set({ elevated_until: until }).where('member_id', '=', memberId)
  await own.where('id', '=', sessionId).execute()
}

/** No session counts as verified any more: the secret that verified it is gone. */
export async function clearSecondFactors(tx: Tx, memberId: bigint): Promise<void> {
  await tx
    .updateTable('session')
    .set({ second_factor_at: null })
    .where('member_id', '=', memberId)
    .where('second_factor_at', 'is not', null)
    .execute()
}

/** The user agents that a member signed in with; none for a first sign-in. */
export async function selectUserAgents(tx: Db, memberId: bigint, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('session')
    .select('user_agent')
    .distinct()
    .where('member_id', '=', memberId)
    .limit(limit)
    .execute()
  return rows.map((row) => row.user_agent)
}

/** Sign-ins in devices that were new, since an instant, oldest first. */
export const selectNewSignIns = (db: Db, memberId: bigint, since: Date) =>
  db
    .selectFrom('security_event')
    .select(['at', 'user_agent'])
    .where('member_id', '=', memberId)
    .where('kind', '=', 'signed_in_new')
    .where('at', '>', since)
    .orderBy('id')
    .limit(100)
    .execute()

export interface LiveSession {
  readonly id: string
  readonly user_agent: string
  readonly ip: string
  readonly started_at: Date
  /** When its tokens were renewed last, which clients do every few minutes. */
  readonly used_at: Date
  readonly second_factor: boolean
  readonly is_operator: boolean
}

/** The earliest start and last use that a live session can have; and those of an operator's, with the last act. */
export interface LiveSince {
  readonly startedAt: Date
  readonly usedAt: Date
  readonly operator: { readonly startedAt: Date; readonly actedAt: Date }
}

const liveOf = (memberId: bigint, { startedAt, usedAt, operator }: LiveSince) => sql`
  session s JOIN member m ON m.id = s.member_id JOIN LATERAL (
    SELECT max(t.issued_at) AS used_at FROM refresh_token t
    WHERE t.member_id = s.member_id AND t.session_id = s.id AND t.used_at IS NULL) token ON true
  WHERE s.member_id = ${memberId} AND s.ended_at IS NULL AND s.started_at >= ${startedAt}
    AND token.used_at >= ${usedAt}
    AND (NOT m.is_operator OR s.started_at > ${operator.startedAt} AND coalesce(s.acted_at, s.started_at) > ${operator.actedAt})`

/** A member's live sessions: the current one first, then those used last. */
export async function selectLiveSessions(
  db: Db,
  wanted: { memberId: bigint; current: string; since: LiveSince; offset: number; limit: number },
): Promise<LiveSession[]> {
  const { memberId, current, since, offset, limit } = wanted
  return query<LiveSession>(db)`
    SELECT s.id, s.user_agent, s.ip, s.started_at, token.used_at, s.second_factor_at IS NOT NULL AS second_factor,
      m.is_operator
    FROM ${liveOf(memberId, since)}
    ORDER BY (s.id = ${current}::uuid) DESC, token.used_at DESC, s.id
    OFFSET ${offset} LIMIT ${limit}`
}

/** The live sessions of all operators, by operator, those used last first. */
export function selectOperatorSessions(db: Db, { usedAt, operator }: LiveSince, most: number) {
  return query<LiveSession & { readonly member_id: bigint }>(db)`
    SELECT s.member_id, s.id, s.user_agent, s.ip, s.started_at, token.used_at, s.second_factor_at IS NOT NULL AS second_factor, true AS is_operator
    FROM member m JOIN session s ON s.member_id = m.id JOIN LATERAL (
      SELECT max(t.issued_at) AS used_at FROM refresh_token t
      WHERE t.member_id = s.member_id AND t.session_id = s.id AND t.used_at IS NULL) token ON true
    WHERE m.is_operator AND s.ended_at IS NULL AND s.started_at > ${operator.startedAt}
      AND coalesce(s.acted_at, s.started_at) > ${operator.actedAt} AND token.used_at >= ${usedAt}
    ORDER BY s.member_id, token.used_at DESC LIMIT ${most}`
}

export async function countLiveSessions(db: Db, memberId: bigint, since: LiveSince): Promise<number> {
  return countOf(db)`${liveOf(memberId, since)}`
}

export async function deleteTokensIssuedBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('issued_at', '<', instant).execute()
}

/** Keeps each member's last session: the next sign-in is compared with its device. */
export async function deleteSessionsStartedBefore(db: Db, instant: Date): Promise<void> {
  await query(db)`DELETE FROM session s WHERE s.started_at < ${instant} AND EXISTS (
    SELECT FROM session later WHERE later.member_id = s.member_id AND later.started_at > s.started_at)`
}
