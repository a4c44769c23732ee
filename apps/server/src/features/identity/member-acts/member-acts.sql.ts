import type { Db } from '@aval/db'
import { queryFirst } from '../../../core/query.sql.ts'

export interface ActsRow {
  readonly username: string
  readonly is_operator: boolean
  readonly email: string
  readonly phone_number: string
  readonly is_fundator: boolean
  readonly closed_at: Date | null
  /** Micro-USDT of withdrawals that are asked for or approved, and not signed. */
  readonly stoppable: bigint
  readonly stoppable_count: number
  readonly on_their_way: number
  readonly masters: number
}

/** Undefined where there is no such member. All is found by the member's own keys. */
export function selectActs(db: Db, memberId: bigint): Promise<ActsRow | undefined> {
  return queryFirst<ActsRow>(db)`
    WITH open AS (SELECT w.amount, EXISTS (SELECT FROM outgoing_transfer t WHERE t.purpose = 'withdrawal' AND t.member_id = w.member_id
        AND t.withdrawal_id = w.id AND t.state IN ('signed', 'settled')) AS is_signed
      FROM withdrawal w WHERE w.member_id = ${memberId} AND w.state IN ('requested', 'approved'))
    SELECT m.username, m.is_operator, m.email, m.phone_number, m.is_fundator, m.closed_at,
      (SELECT coalesce(sum(amount), 0)::bigint FROM open WHERE NOT is_signed) AS stoppable,
      (SELECT count(*)::int FROM open WHERE NOT is_signed) AS stoppable_count,
      (SELECT count(*)::int FROM open WHERE is_signed) AS on_their_way,
      (SELECT count(*)::int FROM master_code WHERE sponsor_id = m.id) AS masters
    FROM member m WHERE m.id = ${memberId}`
}
