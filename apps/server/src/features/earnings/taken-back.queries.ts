import type { Db } from '@aval/db'
import { query } from '../../core/query.sql.ts'
import type { OwnReversal } from './taken-back.rules.ts'

/** In the order in which they were made; few members have any. */
export async function reversalsOf(db: Db, memberId: bigint): Promise<OwnReversal[]> {
  return query<OwnReversal>(db)`
    SELECT v.at, v.amount AS invested, n.credited_at AS invested_at, coalesce((SELECT sum(p.amount) FROM reversal_part p
      WHERE p.member_id = v.member_id AND p.reversal_id = v.id AND p.pool = 'profit'), 0)::bigint AS profit
    FROM reversal v JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
    WHERE v.member_id = ${memberId} ORDER BY v.id`
}
