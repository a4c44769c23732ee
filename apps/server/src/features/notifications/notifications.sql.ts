/** What needs a person, and who has read it. */
import {
  type DECISION_KINDS,
  type NotificationKind,
  type OperatorRole,
  requestedBefore,
} from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { query } from '../../core/query.sql.ts'

/** Something that holds at this moment. */
export interface Condition {
  readonly kind: NotificationKind
  /** `noun:id`; empty where there is one of its kind at most. */
  readonly subject: string
  readonly words: Readonly<Record<string, string>>
  /** Who did it and waits for somebody else: gets no mail about it. */
  readonly doneBy?: bigint | null
}

/** Of each kind at most: who has more than that to do, reads the lists. */
const MOST = 20

export interface WaitingRun {
  readonly id: bigint
  readonly kind: string
  readonly period: string
  readonly why: 'run_held' | 'run_differs' | 'run_unaudited'
}

/** Payout runs that wait for a person; those sealed before an instant, by the system's time, wait for their second computation too long. */
export function selectWaitingRuns(db: Db, before: Date): Promise<WaitingRun[]> {
  return query<WaitingRun>(db)`
    SELECT r.id, r.kind, r.period, CASE WHEN a.verdict = 'differs' THEN 'run_differs' WHEN r.state = 'held' THEN 'run_held'
      ELSE 'run_unaudited' END AS why
    FROM payout_run r LEFT JOIN payout_audit a ON a.run_id = r.id
    WHERE r.state NOT IN ('done', 'cancelled')
      AND (r.state = 'held' OR (r.state = 'sealed' AND a.verdict IS DISTINCT FROM 'matches' AND r.stage_since < ${before}))
    ORDER BY r.id LIMIT ${MOST}`
}

/** Withdrawals that were asked for before an instant and that nobody has decided; how many, up to a thousand. */
export async function countWaitingWithdrawals(db: Db, before: Date): Promise<number> {
  const rows = await query(db)`SELECT FROM withdrawal
    WHERE state IN ('requested', 'approved') AND state = 'requested' AND requested_at < ${before} LIMIT 1000`
  return rows.length
}

export interface DueWithdrawal {
  readonly id: bigint
  readonly username: string
  readonly amount: bigint
  readonly requested_at: Date
}

/** Open withdrawals that are late or due soon, the first ones; without those of frozen accounts. @param at business time */
export function selectDueWithdrawals(db: Db, at: Date): Promise<DueWithdrawal[]> {
  return query<DueWithdrawal>(db)`
    SELECT w.id, m.username, w.amount, w.requested_at FROM withdrawal w JOIN member m ON m.id = w.member_id
    WHERE w.state IN ('requested', 'approved') AND w.requested_at < ${requestedBefore('soon', at)} AND NOT is_frozen(w.member_id)
    ORDER BY w.id LIMIT ${MOST}`
}

/** Whether anybody joined before an instant of business time. */
export async function hasMemberSince(db: Db, before: Date): Promise<boolean> {
  return (await query(db)`SELECT FROM member WHERE joined_at < ${before} LIMIT 1`).length > 0
}

export function selectStop(db: Db): Promise<{ since: Date | null; reason: string | null }[]> {
  return query<{ since: Date | null; reason: string | null }>(db)`
    SELECT since, reason FROM payout_stop WHERE stopped`
}

/** Members who wrote before an instant and whom nobody has answered. */
export function selectWaitingChats(db: Db, before: Date): Promise<{ member_id: bigint; username: string }[]> {
  return query<{ member_id: bigint; username: string }>(db)`
    SELECT t.member_id, m.username FROM support_thread t JOIN member m ON m.id = t.member_id
    WHERE t.waiting_since < ${before} ORDER BY t.waiting_since LIMIT ${MOST}`
}

export interface WaitingRelease {
  readonly member_id: bigint
  readonly username: string
  readonly asked_by: bigint
  readonly by: string
}

/** Second factors that one operator asked to release. Index: factor_release_one_open. @param now system time */
export function selectWaitingReleases(db: Db, now: Date): Promise<WaitingRelease[]> {
  return query<WaitingRelease>(db)`
    SELECT r.member_id, m.username, r.asked_by, o.username AS by FROM factor_release r
    JOIN member m ON m.id = r.member_id JOIN member o ON o.id = r.asked_by
    WHERE r.outcome IS NULL AND r.ends_at > ${now} ORDER BY r.ends_at LIMIT ${MOST}`
}

export interface WaitingDecision {
  readonly id: bigint
  readonly kind: (typeof DECISION_KINDS)[number]
  /** Of a run its number, of a plan the day on which it starts. */
  readonly about: string
  readonly proposed_by: bigint | null
}

/** What was proposed and waits for approvals. Index: decision_open_once. @param now system time */
export function selectWaitingDecisions(db: Db, now: Date): Promise<WaitingDecision[]> {
  return query<WaitingDecision>(db)`
    SELECT id, kind, split_part(subject, ':', 2) AS about, proposed_by FROM decision
    WHERE state = 'open' AND expires_at > ${now} ORDER BY id LIMIT ${MOST}`
}

export interface PoolRow {
  readonly pool: string
  readonly amount: bigint
  /** What the last run paid out of it. */
  readonly last: bigint
}

/** Pools that hold less than their last run took. A direct run pays single investments and says nothing of the next one. */
export function selectLowPools(db: Db): Promise<PoolRow[]> {
  return query<PoolRow>(db)`
    SELECT p.pool, h.amount, r.payable AS last FROM (VALUES ('profit', 'passive'), ('commission', 'binary')) AS p (pool, kind)
    JOIN house_balance h ON h.account = ('pool:' || p.pool)::ledger_account
    JOIN LATERAL (SELECT payable FROM payout_run WHERE kind = p.kind AND state = 'done' ORDER BY id DESC LIMIT 1) r ON r.payable > h.amount`
}

/** The codes of what holds up approved withdrawals. What the signer has not seen of the chain yet counts once it lasts. @param now system time */
export function selectDelays(db: Db, now: Date): Promise<{ code: string; count: number }[]> {
  return query<{ code: string; count: number }>(db)`
    SELECT code, count(*)::int AS count FROM (SELECT d.code FROM withdrawal_delay d
      WHERE d.code <> 'earlier_transfer_unseen' OR d.since < ${now}::timestamptz - interval '10 minutes' LIMIT 10000) d GROUP BY code ORDER BY code`
}

/** Whether a node is of another network or refuses our key. */
export async function hasNodeFault(db: Db): Promise<boolean> {
  const rows = await query(
    db,
  )`SELECT FROM gateway_node WHERE state IN ('other_network', 'key_refused') LIMIT 1`
  return rows.length > 0
}

/** When the gateway saw a node last; null where it never did. */
export async function selectLastSeen(db: Db): Promise<Date | null> {
  const row = await db.selectFrom('chain_cursor').select('seen_at').executeTakeFirst()
  return row?.seen_at ?? null
}

export interface OpenRow extends Condition {
  readonly id: bigint
}

export function selectOpen(db: Db): Promise<OpenRow[]> {
  return query<OpenRow>(
    db,
  )`SELECT id, kind, subject, words FROM operator_notification WHERE over_at IS NULL ORDER BY id`
}

/** Those that were over at this moment or later, newest first. Index: operator_notification_by_end. */
export function selectOverSince(db: Db, kinds: readonly NotificationKind[], since: Date): Promise<OpenRow[]> {
  return query<OpenRow>(db)`
    SELECT id, kind, subject, words FROM operator_notification
    WHERE over_at >= ${since} AND kind = ANY(${[...kinds]}::text[]) ORDER BY id DESC`
}

/** What was over holds again. */
export async function reopenNotification(tx: Tx, id: bigint, words: Condition['words']): Promise<void> {
  await query(
    tx,
  )`UPDATE operator_notification SET over_at = NULL, words = ${JSON.stringify(words)}::jsonb WHERE id = ${id}`
}

/** @returns its number; null where it is open already */
export async function insertNotification(
  tx: Tx,
  { kind, subject, words }: Condition,
  at: Date,
  overAt: Date | null = null,
): Promise<bigint | null> {
  const rows = await query<{ id: bigint }>(tx)`
    INSERT INTO operator_notification (kind, subject, words, at, over_at) VALUES (${kind}, ${subject}, ${JSON.stringify(words)}::jsonb, ${at}, ${overAt})
    ON CONFLICT DO NOTHING RETURNING id`
  return rows[0]?.id ?? null
}

export async function endNotification(tx: Tx, id: bigint, at: Date): Promise<void> {
  await query(tx)`UPDATE operator_notification SET over_at = ${at} WHERE id = ${id}`
}

export async function setWords(tx: Tx, id: bigint, words: Condition['words']): Promise<void> {
  await query(tx)`UPDATE operator_notification SET words = ${JSON.stringify(words)}::jsonb WHERE id = ${id}`
}

export async function deleteNotificationsOverBefore(db: Db, instant: Date): Promise<void> {
  await query(db)`DELETE FROM operator_notification WHERE over_at < ${instant}`
}

export interface Recipient {
  readonly id: bigint
  readonly email: string
  readonly locale: string
  readonly time_zone: string | null
  readonly region: string | null
  readonly role: OperatorRole
  /** What the operator chose, by kind. */
  readonly choices: Readonly<Record<string, boolean>>
}

export function selectRecipients(db: Db): Promise<Recipient[]> {
  return query<Recipient>(db)`
    SELECT m.id, m.email, m.locale, m.region, m.time_zone, m.operator_role AS role, coalesce((SELECT jsonb_object_agg(c.kind, c.mailed)
      FROM operator_mail_choice c WHERE c.operator_id = m.id), '{}') AS choices
    FROM member m WHERE m.is_operator ORDER BY m.id`
}

export async function selectChoices(db: Db, operatorId: bigint): Promise<Readonly<Record<string, boolean>>> {
  const rows = await db
    .selectFrom('operator_mail_choice')
    .select(['kind', 'mailed'])
    .where('operator_id', '=', operatorId)
    .execute()
  return Object.fromEntries(rows.map(({ kind, mailed }) => [kind, mailed]))
}

export async function putChoice(tx: Tx, operatorId: bigint, kind: string, mailed: boolean): Promise<void> {
  await query(
    tx,
  )`INSERT INTO operator_mail_choice (operator_id, kind, mailed) VALUES (${operatorId}, ${kind}, ${mailed})
    ON CONFLICT (operator_id, kind) DO UPDATE SET mailed = excluded.mailed`
}

export interface ShownRow extends OpenRow {
  readonly at: Date
  readonly over_at: Date | null
  readonly read: boolean
}

/** What holds first, then what was; of these kinds. */
export function selectShown(
  db: Db,
  operatorId: bigint,
  kinds: readonly string[],
  limit: number,
): Promise<ShownRow[]> {
  return query<ShownRow>(db)`
    SELECT n.id, n.kind, n.subject, n.words, n.at, n.over_at,
      EXISTS (SELECT FROM operator_notification_read r WHERE r.operator_id = ${operatorId} AND r.notification_id = n.id) AS read
    FROM ((SELECT * FROM operator_notification WHERE over_at IS NULL AND kind = ANY(${[...kinds]}::text[]) ORDER BY at DESC, id DESC LIMIT ${limit})
      UNION (SELECT * FROM operator_notification WHERE kind = ANY(${[...kinds]}::text[]) ORDER BY at DESC, id DESC LIMIT ${limit})) n
    ORDER BY n.over_at IS NOT NULL, n.at DESC, n.id DESC LIMIT ${limit}`
}

/** @param ids null: all of these kinds */
export async function insertReads(
  tx: Tx,
  operatorId: bigint,
  kinds: readonly string[],
  ids: readonly bigint[] | null,
): Promise<void> {
  await query(tx)`INSERT INTO operator_notification_read (operator_id, notification_id)
    SELECT ${operatorId}, id FROM operator_notification
    WHERE kind = ANY(${[...kinds]}::text[]) AND (${ids === null} OR id = ANY(${[...(ids ?? [])]}::bigint[])) ON CONFLICT DO NOTHING`
}
