import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { LastEvents, SecurityKind } from './security-log.rules.ts'

export interface SecurityEvent {
  readonly memberId: bigint
  readonly kind: SecurityKind
  /** System time. */
  readonly at: Date
  readonly userAgent: string
  readonly ip: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** Adds to what a member sees of an account's history. @returns its number; null for a `not_me` about the same event */
export async function insertSecurityEvent(tx: Tx, event: SecurityEvent): Promise<bigint | null> {
  const row = await tx
    .insertInto('security_event')
    .values({
      member_id: event.memberId,
      kind: event.kind,
      at: event.at,
      user_agent: event.userAgent,
      ip: event.ip,
      details: JSON.stringify(event.details ?? {}),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id ?? null
}

export async function selectLastEvents(db: Db, memberId: bigint): Promise<LastEvents> {
  const { rows } = await sql<{ kind: string; at: Date }>`
    SELECT kind, max(at) AS at FROM security_event WHERE member_id = ${memberId} GROUP BY kind`.execute(db)
  return rows
}

/** Changes of e-mail and wallet from one on, in the order in which they were made. */
export async function selectChangesFrom(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('security_event')
    .select(['id', 'kind', 'details'])
    .where('member_id', '=', memberId)
    .where('id', '>=', id)
    .where('kind', 'in', ['email_changed', 'wallet_changed'])
    .orderBy('id')
    .execute()
}

/** Keeps a session from ending before this transaction; undefined when it has ended. */
export function holdSession(tx: Tx, memberId: bigint, sessionId: string) {
  return tx
    .selectFrom('session')
    .select('id')
    .where('member_id', '=', memberId)
    .where('id', '=', sessionId)
    .where('ended_at', 'is', null)
    .forShare()
    .executeTakeFirst()
}

/** @param but the session that goes on; null for none @returns how many ended */
export async function endSessions(
  tx: Tx,
  memberId: bigint,
  because: 'password' | 'not_me' | 'two_factor' | 'ended',
  but: string | null,
  now: Date,
): Promise<number> {
  let query = tx
    .updateTable('session')
    .set({ ended_at: now, ended_because: because })
    .where('member_id', '=', memberId)
    .where('ended_at', 'is', null)
  if (but !== null) query = query.where('id', '<>', but)
  return (await query.returning('id').execute()).length
}
