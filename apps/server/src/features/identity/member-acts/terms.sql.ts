import type { Db, Tx } from '@aval/db'
import { queryOne, queryValue } from '../../../core/query.sql.ts'

/** False where it was so before. */
export function updateFundator(
  tx: Tx,
  change: { readonly memberId: bigint; readonly fundator: boolean; readonly operatorId: bigint },
): Promise<boolean> {
  const { memberId, fundator, operatorId } = change
  return queryValue<boolean>(tx)`SELECT set_fundator(${memberId}, ${fundator}, ${operatorId})`
}

/** False where it was so before. @param at business time, held open */
export function updateExtraPercent(
  tx: Tx,
  change: { readonly memberId: bigint; readonly percent: string; readonly operatorId: bigint },
  at: Date,
): Promise<boolean> {
  const { memberId, percent, operatorId } = change
  return queryValue<boolean>(tx)`SELECT set_extra_percent(${memberId}, ${percent}, ${operatorId}, ${at})`
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
