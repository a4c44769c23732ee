import type { Db, Tx } from '@aval/db'
import { queryOne, queryValue } from '../../../core/query.sql.ts'

/** What a decision about a member's terms changed. */
export function selectTerms(tx: Tx, decision: bigint) {
  return queryOne<{ kind: string; member: bigint; from: string; to: string }>(tx)`
    SELECT kind, (statement->>'member')::bigint AS member, statement->>'from' AS "from", statement->>'to' AS "to"
    FROM decision WHERE id = ${decision}`
}

/** Whether the member heard of it before. */
export function isAnnounced(tx: Tx, memberId: bigint, decision: bigint): Promise<boolean> {
  return queryValue<boolean>(tx)`
    SELECT EXISTS (SELECT FROM security_event WHERE member_id = ${memberId} AND details->>'decision' = ${String(decision)})`
}

/**
 * What a member was paid at the first level by runs since an instant, and on how much. The items of one member are few; the index of
 * their key finds them.
 */
export function selectFirstLevel(db: Db, memberId: bigint, since: Date) {
  return queryOne<{ count: number; basis: bigint; paid: bigint }>(db)`
    SELECT count(*)::int AS count, coalesce(sum(i.basis), 0)::bigint AS basis, coalesce(sum(i.amount), 0)::bigint AS paid
    FROM payout_item i JOIN payout_run r ON r.id = i.run_id
    WHERE i.member_id = ${memberId} AND i.kind = 'direct' AND i.level = 1 AND r.state NOT IN ('computing', 'cancelled') AND r.at >= ${since}`
}
