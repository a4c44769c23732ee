import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export interface LiveSession {
  readonly id: string
  readonly user_agent: string
  readonly ip: string
  readonly started_at: Date
  /** When its tokens were renewed last, which clients do every few minutes. */
  readonly used_at: Date
  readonly second_factor: boolean
}

/** Since when a session must have begun, and been used, to be alive at all. */
export interface Alive {
  readonly begunSince: Date
  readonly usedSince: Date
}

const liveOf = (memberId: bigint, { begunSince, usedSince }: Alive) => sql`
  session s JOIN LATERAL (
    SELECT max(t.issued_at) AS used_at FROM refresh_token t
    WHERE t.member_id = s.member_id AND t.session_id = s.id AND t.used_at IS NULL) token ON true
  WHERE s.member_id = ${memberId} AND s.ended_at IS NULL AND s.started_at >= ${begunSince}
    AND token.used_at >= ${usedSince}`

/** The sessions of a member that can still be used: the present one first, then those used last. */
export async function selectLiveSessions(
  db: Db,
  wanted: { memberId: bigint; present: string; alive: Alive; offset: number; limit: number },
): Promise<LiveSession[]> {
  const { memberId, present, alive, offset, limit } = wanted
  const { rows } = await sql<LiveSession>`
    SELECT s.id, s.user_agent, s.ip, s.started_at, token.used_at, s.second_factor_at IS NOT NULL AS second_factor
    FROM ${liveOf(memberId, alive)}
    ORDER BY (s.id = ${present}::uuid) DESC, token.used_at DESC, s.id
    OFFSET ${offset} LIMIT ${limit}`.execute(db)
  return rows
}

export async function countLiveSessions(db: Db, memberId: bigint, alive: Alive): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM ${liveOf(memberId, alive)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** False when it is no session of this member's, or has ended before: of two that end it at once, one has. */
export async function endOwnSession(
  tx: Tx,
  memberId: bigint,
  sessionId: string,
  now: Date,
): Promise<boolean> {
  const row = await tx
    .updateTable('session')
    .set({ ended_at: now, ended_because: 'ended' })
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

export function selectSecurityEvents(db: Db, memberId: bigint, page: { offset: number; limit: number }) {
  return db
    .selectFrom('security_event')
    .select(['id', 'kind', 'at', 'user_agent', 'ip', 'details'])
    .where('member_id', '=', memberId)
    .orderBy('id', 'desc')
    .offset(page.offset)
    .limit(page.limit)
    .execute()
}

export async function countSecurityEvents(db: Db, memberId: bigint): Promise<number> {
  const row = await db
    .selectFrom('security_event')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('member_id', '=', memberId)
    .executeTakeFirstOrThrow()
  return row.count
}
