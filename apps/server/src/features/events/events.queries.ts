import type { Db } from '@aval/db'
import { query } from '../../core/query.sql.ts'

interface SessionKey {
  readonly memberId: bigint
  readonly sessionId: string
}

/** Those of the sessions that have not ended. */
export async function readLiveSessions(db: Db, sessions: readonly SessionKey[]): Promise<Set<string>> {
  const rows = await query<{ id: string }>(db)`
    SELECT s.id FROM session s
    JOIN unnest(${sessions.map((each) => String(each.memberId))}::bigint[], ${sessions.map((each) => each.sessionId)}::uuid[])
      AS o (member_id, id) ON o.member_id = s.member_id AND o.id = s.id
    WHERE s.ended_at IS NULL`
  return new Set(rows.map((row) => row.id))
}
