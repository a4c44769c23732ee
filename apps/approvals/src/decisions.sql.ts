/** The decisions that wait, as the page shows them: see db/migrations/0023-decisions.sql. */
import type { Database } from '@aval/db'
import { sql } from 'kysely'
import type { Approver } from './list.sql.ts'

export interface ListedDecision {
  readonly id: string
  readonly kind: string
  readonly statement: Readonly<Record<string, string>>
  /** Of a plan: as it was proposed, and the one that it replaces. */
  readonly document: string | null
  readonly replaces: { readonly version: number; readonly document: unknown } | null
  readonly proposed_by: string
  readonly proposed_at: Date
  readonly expires_at: Date
  /** How many operators the signer asked for, as far as is known. */
  readonly needed: number
  readonly approvals: readonly Approver[]
  readonly waiting: readonly Approver[]
}

/** What waits, oldest first; there are fifty at most. */
export async function selectDecisions(db: Database): Promise<readonly ListedDecision[]> {
  const { rows } = await sql<ListedDecision>`
    SELECT d.id::text, d.kind, d.statement, d.document, d.proposed_at, d.expires_at, d.needed::int, coalesce(m.username, '') AS proposed_by,
      CASE WHEN d.kind = 'plan' THEN (SELECT jsonb_build_object('version', p.version, 'document', p.document) FROM plan_version p
        WHERE p.starts_at <= (d.statement->>'starts_at')::timestamptz ORDER BY p.starts_at DESC, p.version DESC LIMIT 1) END AS replaces,
      coalesce((SELECT jsonb_agg(jsonb_build_object('operator', a.operator_id::text, 'name', o.username) ORDER BY a.at, a.operator_id)
        FROM decision_approval a JOIN member o ON o.id = a.operator_id WHERE a.decision_id = d.id), '[]') AS approvals,
      coalesce((SELECT jsonb_agg(jsonb_build_object('operator', a.operator_id::text, 'name', o.username) ORDER BY a.id)
        FROM approval_decision r JOIN approval a ON a.id = r.approval_id JOIN member o ON o.id = a.operator_id
        WHERE r.decision_id = d.id AND a.state = 'submitted' AND a.expires_at > clock_timestamp()), '[]') AS waiting
    FROM decision d LEFT JOIN member m ON m.id = d.proposed_by
    WHERE d.state = 'open' AND d.expires_at > clock_timestamp() ORDER BY d.id`.execute(db)
  return rows
}
