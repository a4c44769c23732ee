import type { Db } from '@aval/db'
import { queryFirst } from '../core/query.sql.ts'

export interface ViewRow {
  readonly username: string
  readonly time_zone: string
  readonly region: string | null
  readonly is_fundator: boolean
  readonly ends_at: Date
  readonly operator_id: bigint
  readonly operator_role: string | null
  /** Of the operator's session in which the view began. */
  readonly started_at: Date
  readonly acted_at: Date | null
  readonly place: bigint
}

/** A view that is not over, of a member who is open and no operator, by an operator whose session is live. */
export function selectView(db: Db, memberId: bigint, viewId: string, now: Date) {
  return queryFirst<ViewRow>(db)`
    SELECT m.username, m.is_fundator, m.region, v.ends_at, v.operator_id, o.operator_role, s.started_at, s.acted_at,
      coalesce(m.time_zone, (SELECT document->>'timeZone' FROM plan_version
        WHERE starts_at <= now() ORDER BY starts_at DESC, version DESC LIMIT 1), 'UTC') AS time_zone,
      (pg_current_wal_flush_lsn() - '0/0')::bigint AS place
    FROM member_view v JOIN member m ON m.id = v.member_id JOIN member o ON o.id = v.operator_id
      JOIN session s ON s.member_id = v.operator_id AND s.id = v.operator_session_id
    WHERE v.member_id = ${memberId} AND v.id = ${viewId}::uuid AND v.ends_at > ${now} AND s.ended_at IS NULL
      AND m.closed_at IS NULL AND m.operator_role IS NULL`
}
