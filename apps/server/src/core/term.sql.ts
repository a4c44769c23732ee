import { sql } from 'kysely'

/** First and latest investment of a member, null where nothing was invested; with the latest, the days its plan locks for. */
export interface TermRow {
  readonly first: Date | null
  readonly latest: Date | null
  readonly lock_days: number | null
}

/** What was reversed counts for nothing, and another plan later moves no lock. */
export const selectTerm = (memberId: bigint) => sql<TermRow>`
  SELECT min(i.credited_at) AS first, max(i.credited_at) AS latest,
    (array_agg((v.document->'investment'->>'lockDays')::int ORDER BY i.credited_at DESC, i.id DESC))[1] AS lock_days
  FROM investment i JOIN plan_version v ON v.version = i.plan_version
  WHERE i.member_id = ${memberId} AND NOT EXISTS (SELECT FROM reversal r WHERE r.member_id = i.member_id AND r.investment_id = i.id)`
