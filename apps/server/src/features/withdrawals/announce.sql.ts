import type { Db } from '@aval/db'
import { query } from '../../core/query.sql.ts'

/** A withdrawal at a stage that its member has not been told of. */
export interface Stage {
  readonly memberId: bigint
  readonly id: bigint
  readonly stage: 'approved' | 'sent'
  readonly amount: bigint
  readonly fee: bigint
  readonly wallet: string
}

/**
 * Approved withdrawals whose present stage has no mail, of an account that is open. One that is on its way is not also told to be
 * approved, and a second transfer of one is not told again.
 * @param since business time
 */
export function selectUnannounced(db: Db, since: Date, limit: number): Promise<Stage[]> {
  return query<Stage>(db)`
    SELECT w.member_id AS "memberId", w.id, w.stage, w.amount, w.fee, w.wallet_address AS wallet
    FROM (SELECT a.*, CASE WHEN EXISTS (SELECT FROM outgoing_transfer t WHERE t.member_id = a.member_id AND t.withdrawal_id = a.id
          AND t.purpose = 'withdrawal' AND t.state = 'signed' AND t.broadcast_at IS NOT NULL) THEN 'sent' ELSE 'approved' END AS stage
        FROM withdrawal a WHERE a.state = 'approved' AND a.approved_at > ${since}) w
      JOIN member m ON m.id = w.member_id AND m.closed_at IS NULL
    WHERE NOT EXISTS (SELECT FROM mail_message s WHERE s.member_id = w.member_id
      AND s.event IN ('withdrawal:' || w.id || ':' || w.stage, 'withdrawal:' || w.id || ':sent'))
    ORDER BY w.approved_at, w.id LIMIT ${limit}`
}
