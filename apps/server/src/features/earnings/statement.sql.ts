import type { Db } from '@aval/db'
import { sql } from 'kysely'

export interface StatementRow {
  readonly journal_id: bigint
  readonly leg: number
  readonly at: Date
  readonly kind: string
  readonly amount: bigint
  /** What this line does to the balance and to the investment. */
  readonly to_balance: bigint
  readonly to_principal: bigint
  readonly level: number | null
  readonly from_username: string | null
}

const EFFECT =
  sql.raw(`CASE WHEN p.destination = 'balance' THEN p.amount WHEN p.source = 'balance' THEN -p.amount ELSE 0 END AS to_balance,
  CASE WHEN p.destination = 'principal' THEN p.amount WHEN p.source = 'principal' THEN -p.amount ELSE 0 END AS to_principal`)

/** A member's postings in the order in which they were booked, dated from `from` up to `until`, after a place. */
export async function selectLines(
  db: Db,
  memberId: bigint,
  range: { from: Date; until: Date },
  after: { journalId: bigint; leg: number },
  limit: number,
): Promise<StatementRow[]> {
  const { rows } = await sql<StatementRow>`
    SELECT p.journal_id, p.leg, p.at, p.kind::text AS kind, p.amount, ${EFFECT}, i.level, m.username AS from_username
    FROM (SELECT * FROM posting WHERE member_id = ${memberId} AND (journal_id, leg) > (${after.journalId}, ${after.leg})
        AND at >= ${range.from} AND at < ${range.until} ORDER BY journal_id, leg LIMIT ${limit}) p
      LEFT JOIN payout_run r ON p.kind IN ('direct', 'master') AND r.journal_id = p.journal_id
      LEFT JOIN payout_item i ON i.member_id = p.member_id AND i.run_id = r.id AND i.leg = p.leg
      LEFT JOIN member m ON m.id = i.from_member_id
    ORDER BY p.journal_id, p.leg`.execute(db)
  return rows
}

/** Balance and principal before an instant: the sums of everything dated earlier. */
export async function selectTotalsBefore(
  db: Db,
  memberId: bigint,
  at: Date,
): Promise<{ balance: bigint; principal: bigint }> {
  const { rows } = await sql<{ balance: bigint; principal: bigint }>`
    SELECT coalesce(sum(to_balance), 0)::bigint AS balance, coalesce(sum(to_principal), 0)::bigint AS principal
    FROM (SELECT ${EFFECT} FROM posting p WHERE p.member_id = ${memberId} AND p.at < ${at}) before`.execute(
    db,
  )
  return rows[0] ?? { balance: 0n, principal: 0n }
}
