import type { Db, Tx } from '@aval/db'
import { query, queryValue } from '../../../core/query.sql.ts'

/** @returns its number */
export function insertView(
  tx: Tx,
  view: {
    readonly memberId: bigint
    readonly operatorId: bigint
    readonly sessionId: string
    readonly begunAt: Date
    readonly endsAt: Date
  },
): Promise<string> {
  const { memberId, operatorId, sessionId, begunAt, endsAt } = view
  return queryValue<string>(tx)`
    INSERT INTO member_view (member_id, operator_id, operator_session_id, begun_at, ends_at)
    VALUES (${memberId}, ${operatorId}, ${sessionId}::uuid, ${begunAt}, ${endsAt}) RETURNING id`
}

export async function deleteViewsEndedBefore(db: Db, instant: Date): Promise<void> {
  await query(db)`DELETE FROM member_view WHERE ends_at < ${instant}`
}
