import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export type EndReason = 'logout' | 'reuse' | 'password'

/** @param login folded */
export function selectAccount(db: Db, login: string) {
  return db
    .selectFrom('member_identifier')
    .innerJoin('member', 'member.id', 'member_identifier.member_id')
    .select(['member.id', 'member.password_hash'])
    .where('member_identifier.kind', 'in', ['username', 'email'])
    .where('member_identifier.value', '=', login)
    .executeTakeFirst()
}

export async function insertSession(
  tx: Tx,
  session: { memberId: bigint; userAgent: string; ip: string; secondFactorAt: Date | null },
  now: Date,
): Promise<string> {
  const row = await tx
    .insertInto('session')
    .values({
      member_id: session.memberId,
      started_at: now,
      user_agent: session.userAgent,
      ip: session.ip,
      second_factor_at: session.secondFactorAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

export async function insertRefreshToken(
  tx: Tx,
  token: { hash: string; memberId: bigint; sessionId: string },
  now: Date,
): Promise<void> {
  await tx
    .insertInto('refresh_token')
    .values({
      token_hash: token.hash,
      member_id: token.memberId,
      session_id: token.sessionId,
      issued_at: now,
    })
    .execute()
}

export function selectRefreshToken(db: Db, hash: string) {
  return db
    .selectFrom('refresh_token')
    .select(['member_id', 'session_id', 'issued_at', 'used_at'])
    .where('token_hash', '=', hash)
    .executeTakeFirst()
}

/** All that happens to a session happens under this lock. */
export function lockSession(tx: Tx, memberId: bigint, sessionId: string) {
  return tx
    .selectFrom('session')
    .select(['started_at', 'ended_at'])
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
}

/** Uses up every token of a session that is not used yet. */
export async function useUpTokens(tx: Tx, memberId: bigint, sessionId: string, now: Date): Promise<void> {
  await tx
    .updateTable('refresh_token')
    .set({ used_at: now })
    .where('member_id', '=', memberId)
    .where('session_id', '=', sessionId)
    .where('used_at', 'is', null)
    .execute()
}

export async function endSession(
  tx: Tx,
  memberId: bigint,
  sessionId: string,
  because: EndReason,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('session')
    .set({ ended_at: now, ended_because: because })
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .execute()
}

export async function deleteTokensIssuedBefore(db: Db, instant: Date): Promise<void> {
  await db.deleteFrom('refresh_token').where('issued_at', '<', instant).execute()
}

/** The programs that a member signed in with; none for a first sign-in. */
export async function selectUserAgents(tx: Tx, memberId: bigint, most: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('session')
    .select('user_agent')
    .distinct()
    .where('member_id', '=', memberId)
    .limit(most)
    .execute()
  return rows.map((row) => row.user_agent)
}

/**
 * Drops sessions that began before an instant. Each member's last one stays: by it the next sign-in is known to come from
 * the same device, or from another one.
 */
export async function deleteSessionsBegunBefore(db: Db, instant: Date): Promise<void> {
  await sql`DELETE FROM session s WHERE s.started_at < ${instant} AND EXISTS (
    SELECT FROM session later WHERE later.member_id = s.member_id AND later.started_at > s.started_at)`.execute(
    db,
  )
}
