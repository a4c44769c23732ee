/** What the page shows, and what it hands in. The role behind it can do nothing else: see db/migrations/0020-approvals.sql. */
import type { ApprovalRow } from '@aval/approvals'
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
    waiting AS MATERIALIZED (
      SELECT r.member_id, r.withdrawal_id,
        jsonb_agg(jsonb_build_object('operator', a.operator_id::text, 'name', o.username) ORDER BY a.id) AS operators
      FROM approval a JOIN approval_row r ON r.approval_id = a.id JOIN member o ON o.id = a.operator_id
      WHERE a.state = 'submitted' AND a.expires_at > clock_timestamp() GROUP BY r.member_id, r.withdrawal_id)
    SELECT w.id::text, w.member_id::text, m.username, trim(m.first_name || ' ' || m.last_name) AS name, w.amount::text, w.fee::text,
      w.wallet_address AS wallet, w.requested_at, w.risks, w.approvals_needed::int AS needed,
      coalesce(s.day_sum, 0)::text AS day_sum,
      (SELECT max(e.at) FROM security_event e WHERE e.member_id = w.member_id AND e.kind = 'wallet_changed') AS wallet_changed_at,
      coalesce((SELECT jsonb_agg(jsonb_build_object('operator', a.operator_id::text, 'name', o.username) ORDER BY a.at, a.operator_id)
        FROM withdrawal_approval a JOIN member o ON o.id = a.operator_id
        WHERE a.member_id = w.member_id AND a.withdrawal_id = w.id), '[]') AS approvals,
      coalesce(p.operators, '[]') AS waiting
    FROM open w JOIN member m ON m.id = w.member_id JOIN sums s ON s.member_id = w.member_id AND s.id = w.id
      LEFT JOIN waiting p ON p.member_id = w.member_id AND p.withdrawal_id = w.id
    ORDER BY w.id`.execute(db)
  return rows
}

/** Who may approve, by name. */
export async function selectOperators(db: Database) {
  const { rows } = await sql<{ id: string; username: string; name: string }>`
    SELECT id::text, username, trim(first_name || ' ' || last_name) AS name FROM member
    WHERE is_operator ORDER BY username LIMIT 200`.execute(db)
  return rows
}

/** Whether payouts are stopped because the reserves do not match. */
export async function selectStopped(db: Database): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`SELECT stopped FROM payout_stop LIMIT 1`.execute(db)
  return rows[0]?.stopped === true
}

export interface Submission {
  readonly operator: bigint
  readonly network: string
  readonly nonce: string
  readonly expiresAt: Date
  readonly root: string
  readonly proof: object
  readonly rows: readonly ApprovalRow[]
}

/** @returns its number */
export async function submitApproval(db: Database, given: Submission): Promise<string> {
  const { operator, network, nonce, expiresAt, root, proof } = given
  const numbers = (field: 'withdrawalId' | 'memberId' | 'amount' | 'fee') =>
    sql`${given.rows.map((row) => String(row[field]))}::bigint[]`
  const { rows } = await sql<{ id: string }>`
    SELECT submit_approval(${operator}::bigint, 'withdrawals', ${network}::text, ${nonce}::text, ${expiresAt}::timestamptz, ${root}::text,
      ${JSON.stringify(proof)}::jsonb, ${numbers('withdrawalId')}, ${numbers('memberId')}, ${numbers('amount')}, ${numbers('fee')},
      ${given.rows.map((row) => row.wallet)}::text[])::text AS id`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('an approval was stored without a number')
  return row.id
}

export interface ApprovalState {
  readonly id: string
  readonly state: 'submitted' | 'accepted' | 'refused'
  /** Stable name of what the signer found; null unless it refused. */
  readonly refusal: string | null
  readonly expired: boolean
  readonly count: number
  /** Of its withdrawals or decisions: those that have as many approvals as they need. */
  readonly complete: number
  /** The fewest approvals that one of the others has, and the most that one needs; null where all are complete. */
  readonly given: number | null
  readonly needed: number | null
}

export async function selectApproval(db: Database, id: string): Promise<ApprovalState | undefined> {
  const { rows } = await sql<ApprovalState>`
    SELECT a.id::text, a.state, a.refusal, (a.state = 'submitted' AND a.expires_at < clock_timestamp()) AS expired,
      a.row_count AS count, s.complete, s.given, s.needed
    FROM approval a CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE w.state <> 'requested')::int AS complete,
        (min(w.given) FILTER (WHERE w.state = 'requested'))::int AS given,
        (max(w.approvals_needed) FILTER (WHERE w.state = 'requested'))::int AS needed
      FROM (SELECT w.state, w.approvals_needed, (SELECT count(*) FROM withdrawal_approval v
          WHERE v.member_id = w.member_id AND v.withdrawal_id = w.id) AS given
        FROM approval_row r JOIN withdrawal w ON w.member_id = r.member_id AND w.id = r.withdrawal_id WHERE r.approval_id = a.id
        UNION ALL SELECT CASE d.state WHEN 'open' THEN 'requested' ELSE d.state END, d.needed,
          (SELECT count(*) FROM decision_approval v WHERE v.decision_id = d.id)
        FROM approval_decision r JOIN decision d ON d.id = r.decision_id WHERE r.approval_id = a.id) w) s
    WHERE a.id = ${id}::bigint`.execute(db)
  return rows[0]
}
