import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'

export interface Reversible {
  readonly id: bigint
  readonly member_id: bigint
  readonly username: string
  readonly amount: bigint
  readonly from_balance: boolean
  readonly credited_at: Date
  readonly reversed: boolean
  /** Principal has left since, or is about to: it may have been this investment's. */
  readonly withdrawn: boolean
  /** State of the run that pays its commissions; null before there is one. */
  readonly run_state: string | null
  readonly run_id: bigint | null
}

const REVERSIBLE = sql`
  SELECT i.id, i.member_id, m.username, i.amount, i.from_balance, i.credited_at, v.id IS NOT NULL AS reversed,
    EXISTS (SELECT FROM principal_movement g WHERE g.member_id = i.member_id AND g.id > i.id AND g.amount < 0
      AND NOT EXISTS (SELECT FROM principal_movement b WHERE b.member_id = g.member_id AND b.withdrawal_id = g.withdrawal_id AND b.amount > 0)) AS withdrawn,
    r.state AS run_state, r.id AS run_id
  FROM investment i JOIN member m ON m.id = i.member_id
    LEFT JOIN reversal v ON v.member_id = i.member_id AND v.investment_id = i.id
    LEFT JOIN LATERAL (SELECT id, state, first_investment FROM payout_run
      WHERE kind = 'direct' AND state <> 'cancelled' AND last_investment >= i.id ORDER BY last_investment LIMIT 1) r
      ON r.first_investment <= i.id`

export async function selectReversible(db: Db, id: bigint): Promise<Reversible | undefined> {
  const { rows } = await sql<Reversible>`${REVERSIBLE} WHERE i.id = ${id}`.execute(db)
  return rows[0]
}

/** Investments of members whose username or e-mail begins with what was typed, newest first; all when it is empty. */
export async function selectInvestmentsOf(db: Db, typed: string, limit: number, offset: number) {
  const like = `${typed.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`
  const who =
    typed === ''
      ? sql`true`
      : sql`i.member_id IN (SELECT member_id FROM member_identifier WHERE kind IN ('username', 'email') AND value LIKE ${like})`
  const { rows } =
    await sql<Reversible>`${REVERSIBLE} WHERE ${who} ORDER BY i.id DESC LIMIT ${limit} OFFSET ${offset}`.execute(
      db,
    )
  const total = await sql<{
    count: number
  }>`SELECT count(*)::int AS count FROM investment i WHERE ${who}`.execute(db)
  return { rows, count: total.rows[0]?.count ?? 0 }
}

/** The commissions that an investment paid, in the order of its walk up the chain; what was really paid of each. */
export async function selectPaidCommissions(
  db: Db,
  runId: bigint,
  investmentId: bigint,
): Promise<{ memberId: bigint; leg: number; amount: bigint }[]> {
  const { rows } = await sql<{ member_id: bigint; leg: number; amount: bigint }>`
    SELECT i.member_id, i.leg, coalesce(s.amount, i.amount) AS amount
    FROM payout_item i LEFT JOIN payout_share s ON s.member_id = i.member_id AND s.run_id = i.run_id AND s.leg = i.leg
    WHERE i.run_id = ${runId} AND i.investment_id = ${investmentId} ORDER BY i.level, i.member_id`.execute(db)
  return rows.map((row) => ({ memberId: row.member_id, leg: row.leg, amount: row.amount }))
}

export interface StoredDay {
  readonly run_id: bigint
  readonly declared_id: bigint | null
  readonly cutoff_at: Date
  readonly basis: bigint
  readonly earned: bigint
  readonly paid: bigint
  /** Of the basis, what reversals took back since. */
  readonly reversed: bigint
}

/** Whether a passive run that looks at what was invested then is not paid. */
export async function someUnpaidDay(db: Db, creditedAt: Date): Promise<boolean> {
  const { rows } = await sql`SELECT FROM payout_run
    WHERE kind = 'passive' AND state NOT IN ('done', 'cancelled') AND cutoff_at > ${creditedAt} LIMIT 1`.execute(
    db,
  )
  return rows.length > 0
}

/** Every passive run that paid the member on a basis that includes the investment; oldest first. */
export async function selectPassiveDays(db: Db, memberId: bigint, creditedAt: Date): Promise<StoredDay[]> {
  const { rows } = await sql<StoredDay>`
    SELECT r.id AS run_id, r.declared_id, r.cutoff_at, p.bases[at.i] AS basis, coalesce(p.earned[at.i], 0) AS earned,
      coalesce(s.amounts[at.i], p.amounts[at.i]) AS paid,
      coalesce((SELECT sum(v.amount) FROM reversal v JOIN investment n ON n.member_id = v.member_id AND n.id = v.investment_id
        WHERE v.member_id = ${memberId} AND n.credited_at < r.cutoff_at AND v.at >= r.cutoff_at), 0)::bigint AS reversed
    FROM payout_run r JOIN payout_page p ON p.run_id = r.id AND p.block = ${memberId} / 1024
      CROSS JOIN LATERAL (SELECT array_position(p.members, ${memberId}::bigint) AS i) at
      LEFT JOIN payout_page_share s ON s.run_id = p.run_id AND s.block = p.block
    WHERE r.kind = 'passive' AND r.state <> 'cancelled' AND r.cutoff_at > ${creditedAt} AND at.i IS NOT NULL
    ORDER BY r.period`.execute(db)
  return rows
}

export async function insertReversal(
  tx: Tx,
  row: {
    memberId: bigint
    investmentId: bigint
    journalId: bigint
    amount: bigint
    reason: string
    by: bigint
    at: Date
  },
): Promise<bigint | null> {
  const { rows } = await sql<{ id: bigint }>`
    INSERT INTO reversal (member_id, investment_id, journal_id, amount, reason, reversed_by, at)
    VALUES (${row.memberId}, ${row.investmentId}, ${row.journalId}, ${row.amount}, ${row.reason}, ${row.by}, ${row.at})
    ON CONFLICT DO NOTHING RETURNING id`.execute(tx)
  return rows[0]?.id ?? null
}

export async function insertPart(
  tx: Tx,
  row: {
    memberId: bigint
    reversalId: bigint
    leg: number
    pool: string
    amount: bigint
    fromBalance: bigint
    runId: bigint | null
    itemLeg: number | null
    at: Date
  },
): Promise<void> {
  await sql`INSERT INTO reversal_part (member_id, reversal_id, leg, pool, amount, from_balance, run_id, item_leg, at)
    VALUES (${row.memberId}, ${row.reversalId}, ${row.leg}, ${row.pool}, ${row.amount}, ${row.fromBalance}, ${row.runId},
      ${row.itemLeg}, ${row.at})`.execute(tx)
}

/** How often reversals took something back from the member. */
export async function countParts(db: Db, memberId: bigint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM reversal_part WHERE member_id = ${memberId}`.execute(db)
  return rows[0]?.count ?? 0
}

export async function selectUsernames(db: Db, ids: readonly bigint[]): Promise<Map<bigint, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('member')
    .select(['id', 'username'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, username }) => [id, username]))
}
