import type { SecurityEventKind } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import type { Device } from '../../../core/device.ts'
import { countOf, query, queryValue } from '../../../core/query.sql.ts'
import type { LastEvents } from './security-log.rules.ts'

export interface SecurityEvent {
  readonly memberId: bigint
  readonly kind: SecurityEventKind
  /** System time. */
  readonly at: Date
  /** Where the request came from; null for what no request of the member caused. */
  readonly device: Device | null
  readonly details?: Readonly<Record<string, unknown>>
}

/** @returns its number; null for a second `not_me` about the same event */
export async function insertSecurityEvent(tx: Tx, event: SecurityEvent): Promise<bigint | null> {
  const { memberId, kind, at, device, details = {} } = event
  return queryValue<bigint | null>(tx)`
    SELECT record_security_event(${memberId}, ${kind}, ${at}, ${device?.userAgent ?? ''}, ${device?.ip ?? ''}, ${JSON.stringify(details)}::jsonb)`
}

export async function selectLastEvents(db: Db, memberId: bigint): Promise<LastEvents> {
  return query<{ kind: string; at: Date }>(db)`
    SELECT kind, max(at) AS at FROM security_event WHERE member_id = ${memberId} GROUP BY kind`
}

/** Changes of e-mail and wallet from one on, oldest first. */
export async function selectChangesFrom(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('security_event')
    .select(['id', 'kind', 'at', 'details'])
    .where('member_id', '=', memberId)
    .where('id', '>=', id)
    .where('kind', 'in', ['email_changed', 'wallet_changed'])
    .orderBy('id')
    .execute()
}

/** Whether a moment lies between a change of the e-mail and its return. */
export async function selectIsUndone(db: Db, memberId: bigint, moment: Date): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT EXISTS (SELECT FROM security_event WHERE member_id = ${memberId} AND kind = 'email_changed' AND at > ${moment}
      AND (details->>'since')::timestamptz < ${moment})`
}

/** How often something happened to an account since a moment. */
export async function countEventsSince(
  db: Db,
  memberId: bigint,
  kind: SecurityEventKind,
  since: Date,
): Promise<number> {
  return countOf(db)`security_event WHERE member_id = ${memberId} AND kind = ${kind} AND at >= ${since}`
}

export interface ListedEvent {
  /** Below zero for tries that failed. */
  readonly id: bigint
  readonly kind: string
  readonly at: Date
  readonly user_agent: string
  readonly ip: string
  readonly details: unknown
}

/** What happened, and tries that failed, newest first. */
export function selectSecurityEvents(
  db: Db,
  memberId: bigint,
  { since, offset, limit }: { since: Date; offset: number; limit: number },
): Promise<ListedEvent[]> {
  return query<ListedEvent>(db)`
    SELECT id, kind, at, user_agent, ip, details FROM security_event WHERE member_id = ${memberId}
    UNION ALL
    SELECT -id, kind, last_at, '', network, jsonb_build_object('count', count) FROM failed_try
      WHERE member_id = ${memberId} AND hour >= ${since}
    ORDER BY at DESC, id DESC OFFSET ${offset} LIMIT ${limit}`
}

export async function countSecurityEvents(db: Db, memberId: bigint, since: Date): Promise<number> {
  const events = await countOf(db)`security_event WHERE member_id = ${memberId}`
  return events + (await countOf(db)`failed_try WHERE member_id = ${memberId} AND hour >= ${since}`)
}
