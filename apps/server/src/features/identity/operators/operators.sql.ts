/** Operators, and the changes of them that were asked for. Both are few. */
import type { OperatorRole } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import { query, queryFirst, queryValue } from '../../../core/query.sql.ts'

export interface OperatorRow {
  readonly id: bigint
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly email: string
  readonly role: OperatorRole
  readonly since: Date | null
  readonly last_seen_at: Date | null
}

const MOST = 500

export function selectOperatorRows(db: Db): Promise<OperatorRow[]> {
  return query<OperatorRow>(db)`
    SELECT m.id, m.username, m.first_name, m.last_name, m.email, m.operator_role AS role,
      (SELECT max(e.at) FROM audit_event e WHERE e.subject = 'member:' || m.id AND e.action = 'operator.made') AS since,
      (SELECT max(coalesce(s.acted_at, s.started_at)) FROM session s WHERE s.member_id = m.id) AS last_seen_at
    FROM member m WHERE m.is_operator ORDER BY m.id LIMIT ${MOST}`
}

export async function hasAdmin(db: Db): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT EXISTS (SELECT FROM member WHERE is_operator AND operator_role = 'admin' AND closed_at IS NULL)`
}

/** Of two changes of operators at once one comes after the other; before the member's row is locked. */
export async function lockOperators(tx: Tx): Promise<void> {
  await query(tx)`SELECT lock_operators()`
}

export interface ChangeRow {
  readonly id: bigint
  readonly kind: 'invitation' | 'role'
  readonly member_id: bigint
  readonly username: string
  readonly role: OperatorRole
  readonly asked_by: bigint
  readonly asked_by_name: string
  readonly asked_at: Date
  readonly expires_at: Date
  readonly state: 'open' | 'accepted' | 'applied' | 'withdrawn' | 'lapsed'
  readonly has_link: boolean
}

const CHANGE = `c.id, c.kind, c.member_id, m.username, c.role, c.asked_by, coalesce(a.username, '') AS asked_by_name,
  c.asked_at, c.expires_at, c.state, c.link_hash IS NOT NULL AS has_link`
const JOINED = `operator_change c JOIN member m ON m.id = c.member_id LEFT JOIN member a ON a.id = c.asked_by`

/** What waits for its member, or for the worker. @param now system time */
export function selectWaitingChanges(db: Db, now: Date): Promise<ChangeRow[]> {
  return query<ChangeRow>(db)`SELECT ${sql.raw(CHANGE)} FROM ${sql.raw(JOINED)}
    WHERE c.state IN ('open', 'accepted') AND c.expires_at > ${now} ORDER BY c.id LIMIT ${MOST}`
}

export function selectChange(db: Db, id: bigint): Promise<ChangeRow | undefined> {
  return queryFirst<ChangeRow>(db)`SELECT ${sql.raw(CHANGE)} FROM ${sql.raw(JOINED)} WHERE c.id = ${id}`
}

export function selectWaitingChangeOf(db: Db, memberId: bigint): Promise<ChangeRow | undefined> {
  return queryFirst<ChangeRow>(db)`SELECT ${sql.raw(CHANGE)} FROM ${sql.raw(JOINED)}
    WHERE c.member_id = ${memberId} AND c.state IN ('open', 'accepted') ORDER BY c.id DESC LIMIT 1`
}

/** The open invitation of a member that a link stands for. @param now system time */
export function selectInvitation(
  db: Db,
  memberId: bigint,
  linkHash: string,
  now: Date,
): Promise<ChangeRow | undefined> {
  return queryFirst<ChangeRow>(db)`SELECT ${sql.raw(CHANGE)} FROM ${sql.raw(JOINED)}
    WHERE c.link_hash = ${linkHash} AND c.state = 'open' AND c.member_id = ${memberId} AND c.expires_at > ${now}
      AND a.operator_role = 'admin'`
}

/** Invitations whose e-mail nobody has written yet, and changes that nobody has applied. */
export function selectUnfinishedChanges(db: Db, now: Date): Promise<{ id: bigint; state: string }[]> {
  return query<{ id: bigint; state: string }>(db)`SELECT id, state FROM operator_change
    WHERE state = 'accepted' OR (state = 'open' AND link_hash IS NULL AND expires_at > ${now}) ORDER BY id LIMIT ${MOST}`
}

/** @returns false where it has one already */
export async function setLink(tx: Tx, id: bigint, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('operator_change')
    .set({ link_hash: hash })
    .where('id', '=', id)
    .where('link_hash', 'is', null)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function isFormerOperator(db: Db, memberId: bigint): Promise<boolean> {
  return queryValue<boolean>(db)`SELECT EXISTS (SELECT FROM former_operator WHERE member_id = ${memberId})`
}

/** By the owner of the tables: the person at the console dismissed somebody. */
export async function insertFormerOperator(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await query(tx)`INSERT INTO former_operator VALUES (${memberId}, ${now})
    ON CONFLICT (member_id) DO UPDATE SET since = excluded.since`
}

// Each answers what it came to: a word of its own, or the name of a refusal.

export function askChange(
  tx: Tx,
  asked: {
    readonly by: bigint
    readonly memberId: bigint
    readonly kind: 'invitation' | 'role'
    readonly role: OperatorRole
  },
  now: Date,
): Promise<string> {
  return queryValue<string>(
    tx,
  )`SELECT ask_operator_change(${asked.by}, ${asked.memberId}, ${asked.kind}, ${asked.role}, ${now})`
}

export const acceptInvitation = (tx: Tx, memberId: bigint, token: string, now: Date): Promise<string> =>
  queryValue<string>(tx)`SELECT accept_operator_invitation(${memberId}, ${token}, ${now})`

export const withdrawChange = (tx: Tx, by: bigint, id: bigint, now: Date): Promise<string> =>
  queryValue<string>(tx)`SELECT withdraw_operator_change(${by}, ${id}, ${now})`

export const dismissOperator = (tx: Tx, by: bigint, memberId: bigint, now: Date): Promise<string> =>
  queryValue<string>(tx)`SELECT dismiss_operator(${by}, ${memberId}, ${now})`

/** By the worker alone. @returns null where there was nothing to apply */
export const applyChange = (tx: Tx, id: bigint, now: Date): Promise<'applied' | 'lapsed' | null> =>
  queryValue<'applied' | 'lapsed' | null>(tx)`SELECT apply_operator_change(${id}, ${now})`

/** The newest entry of the signer about its key file. */
export function selectKeyFile(
  db: Db,
): Promise<{ at: Date; details: Readonly<Record<string, unknown>> } | undefined> {
  return queryFirst<{ at: Date; details: Readonly<Record<string, unknown>> }>(db)`
    SELECT at, details FROM audit_event
    WHERE action = 'key_file.use' AND action IN ('key_file.use', 'settings.use') ORDER BY id DESC LIMIT 1`
}
