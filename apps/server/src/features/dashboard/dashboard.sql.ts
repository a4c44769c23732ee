import type { Db } from '@aval/db'
import { sql } from 'kysely'

export interface Earnings {
  readonly passive: bigint
  readonly direct: bigint
  readonly days: readonly { readonly day: string; readonly amount: bigint }[]
}

/** What a member was paid in all, by kind, and on each of the days from `since` on, in the plan's time zone. */
export async function selectEarnings(
  db: Db,
  memberId: bigint,
  since: Date,
  timeZone: string,
): Promise<Earnings> {
  const { rows } = await sql<{ passive: bigint; direct: bigint; day: string | null }>`
    SELECT coalesce(sum(amount) FILTER (WHERE kind = 'passive'), 0)::bigint AS passive,
      coalesce(sum(amount) FILTER (WHERE kind <> 'passive'), 0)::bigint AS direct,
      CASE WHEN at >= ${since} THEN to_char(at AT TIME ZONE ${timeZone}::text, 'YYYY-MM-DD') END AS day
    FROM posting WHERE member_id = ${memberId} AND kind IN ('passive', 'direct', 'master')
    GROUP BY 3`.execute(db)
  const sum = (pick: (row: { passive: bigint; direct: bigint }) => bigint) =>
    rows.reduce((total, row) => total + pick(row), 0n)
  return {
    passive: sum((row) => row.passive),
    direct: sum((row) => row.direct),
    days: rows.flatMap(({ day, passive, direct }) =>
      day === null ? [] : [{ day, amount: passive + direct }],
    ),
  }
}

export interface RecentRow {
  readonly kind: string
  readonly at: Date
  readonly amount: bigint
  readonly from_username: string | null
}

/** The latest postings that a member would call an event. */
export async function selectRecent(db: Db, memberId: bigint, limit: number): Promise<RecentRow[]> {
  const { rows } = await sql<RecentRow>`
    SELECT p.kind::text AS kind, p.at, p.amount, m.username AS from_username
    FROM (SELECT * FROM posting WHERE member_id = ${memberId} AND kind <> 'deposit_fee'
      ORDER BY journal_id DESC, leg LIMIT ${limit}) p
    LEFT JOIN payout_run r ON p.kind IN ('direct', 'master') AND r.journal_id = p.journal_id
    LEFT JOIN payout_item i ON i.member_id = p.member_id AND i.run_id = r.id AND i.leg = p.leg
    LEFT JOIN member m ON m.id = i.from_member_id
    ORDER BY p.journal_id DESC, p.leg`.execute(db)
  return rows
}

/** Sealed for this member, waiting for its pool. */
export async function selectAwaiting(db: Db, memberId: bigint): Promise<bigint> {
  const { rows } = await sql<{ amount: bigint }>`
    SELECT coalesce(sum(i.amount), 0)::bigint AS amount FROM payout_run r
    JOIN payout_item i ON i.run_id = r.id AND i.member_id = ${memberId}
    WHERE r.state IN ('sealed', 'held')`.execute(db)
  return rows[0]?.amount ?? 0n
}
