import type { Db } from '@aval/db'
import { sql } from 'kysely'

export interface StoredPayment {
  readonly run_id: bigint
  readonly kind: 'passive' | 'direct' | 'master'
  readonly at: Date
  readonly amount: bigint
  readonly basis: bigint
  readonly percentage: string
  readonly level: number | null
  readonly plan_version: number
  readonly period: string
  readonly paid: boolean
  readonly from_username: string | null
  readonly from_email: string | null
}

/** A member's payments of the given run kind, newest first: posted ones, and sealed ones that wait for their pool. */
export async function selectPayments(
  db: Db,
  memberId: bigint,
  kind: 'passive' | 'direct',
  limit: number,
  offset: number,
): Promise<{ rows: StoredPayment[]; count: number }> {
  const { rows } = await sql<StoredPayment>`
    SELECT i.run_id, i.kind::text AS kind, r.at, i.amount, i.basis, i.percentage, i.level, r.plan_version, r.period,
      i.member_id <= r.posted_through AS paid, m.username AS from_username, m.email AS from_email
    FROM payout_item i JOIN payout_run r ON r.id = i.run_id LEFT JOIN member m ON m.id = i.from_member_id
    WHERE i.member_id = ${memberId} AND r.kind = ${kind}
    ORDER BY i.run_id DESC, i.leg LIMIT ${limit} OFFSET ${offset}`.execute(db)
  const total = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM payout_item
    WHERE member_id = ${memberId} AND kind = ANY(${kind === 'passive' ? ['passive'] : ['direct', 'master']}::posting_kind[])`.execute(
    db,
  )
  return { rows, count: total.rows[0]?.count ?? 0 }
}
