import type { Db, Tx } from '@aval/db'
import { query } from '../../core/query.sql.ts'

/** @returns false where operators were alerted of it before */
export async function claimAlert(tx: Tx, event: string, now: Date): Promise<boolean> {
  const row = await tx
    .insertInto('operator_alert')
    .values({ event, at: now })
    .onConflict((conflict) => conflict.column('event').doNothing())
    .returning('event')
    .executeTakeFirst()
  return row !== undefined
}

export interface AppliedDecision {
  readonly id: bigint
  readonly kind: 'run_release' | 'plan'
  readonly statement: Readonly<Record<string, string>>
  readonly operators: readonly string[]
  /** Of a plan: its guards, and those of the plan before it. */
  readonly guards: Readonly<Record<string, unknown>> | null
  readonly guards_before: Readonly<Record<string, unknown>> | null
}

/** Decisions since an instant that let a held run go or replaced the plan, and of which operators were not alerted. */
export function selectAppliedDecisions(db: Db, since: Date): Promise<AppliedDecision[]> {
  return query<AppliedDecision>(db)`
    SELECT d.id, d.kind, d.statement, next.document->'guards' AS guards, last.document->'guards' AS guards_before,
      ARRAY(SELECT o.username FROM decision_approval a JOIN member o ON o.id = a.operator_id WHERE a.decision_id = d.id ORDER BY a.at, o.id)
        AS operators
    FROM decision d
    LEFT JOIN plan_version next ON d.kind = 'plan' AND next.starts_at = (d.statement->>'starts_at')::timestamptz
    LEFT JOIN plan_version last ON last.version = next.version - 1
    WHERE d.state = 'accepted' AND d.kind IN ('run_release', 'plan') AND d.ended_at >= ${since}
      AND NOT EXISTS (SELECT FROM operator_alert s WHERE s.event = 'decision:' || d.id)
    ORDER BY d.id`
}

export interface Use {
  readonly id: bigint
  readonly details: Readonly<Record<string, string>>
  /** Of the use before this one; null for the first. */
  readonly before: Readonly<Record<string, string>> | null
}

/** What was used since an instant, each with what was used before, oldest first. */
export function selectUses(db: Db, action: 'key_file.use' | 'settings.use', since: Date): Promise<Use[]> {
  return query<Use>(db)`
    SELECT id, details, before FROM (
      SELECT id, at, details, lag(details) OVER (ORDER BY id) AS before FROM audit_event
      WHERE action = ${action} AND action IN ('key_file.use', 'settings.use')) used
    WHERE at >= ${since} ORDER BY id`
}

export async function selectLastUse(db: Db, action: 'settings.use'): Promise<unknown> {
  const [last] = await query<{ details: unknown }>(db)`
    SELECT details FROM audit_event
    WHERE action = ${action} AND action IN ('key_file.use', 'settings.use') ORDER BY id DESC LIMIT 1`
  return last?.details ?? null
}
