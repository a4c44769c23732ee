/** What operators hand in, and what became of it. Nothing here approves: the signer does. */
import type { ApprovalRow, DecisionRow } from '@aval/approvals'
import type { Database } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'

export interface Submission<Row> {
  readonly operator: bigint
  readonly network: string
  readonly nonce: string
  readonly expiresAt: Date
  readonly root: string
  readonly proof: object
  readonly rows: readonly Row[]
}

/** @returns its number */
export function submitApproval(db: Database, given: Submission<ApprovalRow>): Promise<string> {
  const { operator, network, nonce, expiresAt, root, proof } = given
  const numbers = (field: 'withdrawalId' | 'memberId' | 'amount' | 'fee') =>
    sql`${given.rows.map((row) => String(row[field]))}::bigint[]`
  return store(
    db,
    sql`submit_approval(${operator}::bigint, 'withdrawals', ${network}::text, ${nonce}::text, ${expiresAt}::timestamptz, ${root}::text,
      ${JSON.stringify(proof)}::jsonb, ${numbers('withdrawalId')}, ${numbers('memberId')}, ${numbers('amount')}, ${numbers('fee')},
      ${given.rows.map((row) => row.wallet)}::text[])`,
  )
}

/** @returns its number */
export function submitDecisions(db: Database, given: Submission<DecisionRow>): Promise<string> {
  const { operator, network, nonce, expiresAt, root, proof } = given
  return store(
    db,
    sql`submit_decision_approval(${operator}::bigint, ${network}::text, ${nonce}::text, ${expiresAt}::timestamptz, ${root}::text,
      ${JSON.stringify(proof)}::jsonb, ${given.rows.map(({ decisionId }) => String(decisionId))}::bigint[],
      ${given.rows.map(({ kind }) => kind)}::text[],
      ${given.rows.map(({ statement }) => JSON.stringify(statement))}::text[]::jsonb[])`,
  )
}

async function store(db: Database, submit: RawBuilder<unknown>): Promise<string> {
  const { rows } = await sql<{ id: string }>`SELECT (${submit})::text AS id`.execute(db)
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
