/** The withdrawals that wait, as the page shows them: see db/migrations/0020-approvals.sql. */
import type { Database } from '@aval/db'
import { sql } from 'kysely'

/** The most withdrawals that are shown, the oldest ones; as many as one approval can have. */
export const MOST = 10_000

export interface Approver {
  readonly operator: string
  readonly name: string
}

export interface ListedRow {
  readonly id: string
  readonly member_id: string
  readonly username: string
  readonly name: string
  readonly amount: string
  readonly fee: string
  readonly wallet: string
  readonly requested_at: Date
  /** The account is frozen: it waits for that, and is due at no moment. */
  readonly frozen: boolean
  readonly risks: readonly string[]
  /** What the member asked for in the 24 hours before this one and since, this one included. */
  readonly day_sum: string
  readonly wallet_changed_at: Date | null
  /** How many operators the plan asks for; the signer's key file may ask for more. */
  readonly needed: number
  /** Operators whose approval the signer accepted. */
  readonly approvals: readonly Approver[]
  /** Operators whose approval waits for the signer. */
  readonly waiting: readonly Approver[]
}

/** What waits for operators, oldest first. */
export async function selectList(db: Database): Promise<readonly ListedRow[]> {
  const { rows } = await sql<ListedRow>`
    WITH open AS MATERIALIZED (
      SELECT * FROM withdrawal WHERE state IN ('requested', 'approved') AND state = 'requested' ORDER BY id LIMIT ${MOST}),
    sums AS (
      -- One pass over what these members asked for lately; a look-up for each row took twenty times as long.
      SELECT member_id, id, sum(amount) FILTER (WHERE state NOT IN ('cancelled', 'refused', 'failed')) OVER (
        PARTITION BY member_id ORDER BY requested_at RANGE BETWEEN interval '24 hours' PRECEDING AND UNBOUNDED FOLLOWING) AS day_sum
      FROM withdrawal WHERE member_id IN (SELECT member_id FROM open)
        AND requested_at >= (SELECT min(requested_at) - interval '24 hours' FROM open)),
    freezes AS MATERIALIZED (SELECT DISTINCT ON (member_id) member_id, frozen FROM member_freeze ORDER BY member_id, id DESC),
    waiting AS MATERIALIZED (
      SELECT r.member_id, r.withdrawal_id,
        jsonb_agg(jsonb_build_object('operator', a.operator_id::text, 'name', o.username) ORDER BY a.id) AS operators
      FROM approval a JOIN approval_row r ON r.approval_id = a.id JOIN member o ON o.id = a.operator_id
      WHERE a.state = 'submitted' AND a.expires_at > clock_timestamp() GROUP BY r.member_id, r.withdrawal_id)
    SELECT w.id::text, w.member_id::text, m.username, trim(m.first_name || ' ' || m.last_name) AS name, w.amount::text, w.fee::text,
      w.wallet_address AS wallet, w.requested_at, coalesce(f.frozen, false) AS frozen,
      (SELECT coalesce(jsonb_agg(coalesce(r->>'name', r #>> '{}') ORDER BY at), '[]') FROM jsonb_array_elements(w.risks) WITH ORDINALITY s (r, at)) AS risks,
      w.approvals_needed::int AS needed,
      coalesce(s.day_sum, 0)::text AS day_sum,
      (SELECT max(e.at) FROM security_event e WHERE e.member_id = w.member_id AND e.kind = 'wallet_changed') AS wallet_changed_at,
      coalesce((SELECT jsonb_agg(jsonb_build_object('operator', a.operator_id::text, 'name', o.username) ORDER BY a.at, a.operator_id)
        FROM withdrawal_approval a JOIN member o ON o.id = a.operator_id
        WHERE a.member_id = w.member_id AND a.withdrawal_id = w.id), '[]') AS approvals,
      coalesce(p.operators, '[]') AS waiting
    FROM open w JOIN member m ON m.id = w.member_id JOIN sums s ON s.member_id = w.member_id AND s.id = w.id
      LEFT JOIN freezes f ON f.member_id = w.member_id
      LEFT JOIN waiting p ON p.member_id = w.member_id AND p.withdrawal_id = w.id
    ORDER BY w.id`.execute(db)
  return rows
}

/** Who may approve, by name. */
export async function selectOperators(db: Database) {
  const { rows } = await sql<{ id: string; username: string; name: string }>`
    SELECT id::text, username, trim(first_name || ' ' || last_name) AS name FROM member
    WHERE is_operator ORDER BY username COLLATE "es-x-icu" LIMIT 200`.execute(db)
  return rows
}

/** Milliseconds by which the clock that requests are dated by is ahead of the system's: a demo's alone is. */
export async function selectClockAhead(db: Database): Promise<number> {
  const { rows } = await sql<{ offset_ms: bigint }>`SELECT offset_ms FROM demo_clock`.execute(db)
  return Number(rows[0]?.offset_ms ?? 0)
}

/** Whether payouts are stopped because the reserves do not match. */
export async function selectStopped(db: Database): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`SELECT stopped FROM payout_stop LIMIT 1`.execute(db)
  return rows[0]?.stopped === true
}
