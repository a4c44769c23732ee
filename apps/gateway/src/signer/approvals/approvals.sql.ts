import type { ApprovalRow, DecisionRow, Purpose } from '@aval/approvals'
import type { Db } from '@aval/db/connect'
import { sql } from 'kysely'
import type { Head, Of } from '../journal/entries.rules.ts'

export interface StoredApproval {
  readonly id: bigint
  readonly operatorId: bigint
  readonly purpose: string
  readonly network: string
  readonly nonce: string
  readonly expiresAt: Date
  readonly root: string
  readonly count: number
  readonly proof: unknown
  readonly state: string
}

export async function findApproval(db: Db, id: bigint): Promise<StoredApproval | null> {
  const { rows } = await sql<StoredApproval>`
    SELECT id, operator_id AS "operatorId", purpose, network, nonce, expires_at AS "expiresAt", root, row_count AS count, proof, state
    FROM approval WHERE id = ${id}`.execute(db)
  return rows[0] ?? null
}

/** In the list's order; those of a list with a gap are not all of it. */
export async function findApprovalRows(db: Db, id: bigint): Promise<ApprovalRow[]> {
  const { rows } = await sql<ApprovalRow>`
    SELECT withdrawal_id AS "withdrawalId", member_id AS "memberId", amount, fee, wallet_address AS wallet
    FROM approval_row WHERE approval_id = ${id} ORDER BY position LIMIT 10001`.execute(db)
  return rows
}

/** In the list's order, as the operator saw them. */
export async function findApprovalDecisions(db: Db, id: bigint): Promise<DecisionRow[]> {
  const { rows } = await sql<DecisionRow>`
    SELECT decision_id AS "decisionId", kind, statement FROM approval_decision WHERE approval_id = ${id} ORDER BY position LIMIT 51`.execute(
    db,
  )
  return rows
}

export async function findSubmitted(db: Db, limit: number): Promise<bigint[]> {
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM approval WHERE state = 'submitted' ORDER BY id LIMIT ${limit}`.execute(db)
  return rows.map(({ id }) => id)
}

/** Lists that have each of these withdrawals, of which the database says that they were accepted; a hundred of each at most. */
export async function findApprovalsOf(
  db: Db,
  withdrawals: readonly { readonly memberId: bigint; readonly id: bigint }[],
): Promise<{ withdrawal: bigint; id: bigint; nonce: string }[]> {
  if (withdrawals.length === 0) return []
  const { rows } = await sql<{ withdrawal: bigint; id: bigint; nonce: string }>`
    SELECT asked.id AS withdrawal, l.id, l.nonce
    FROM unnest(${withdrawals.map(({ memberId }) => String(memberId))}::bigint[], ${withdrawals.map(({ id }) => String(id))}::bigint[])
      AS asked (member_id, id)
    CROSS JOIN LATERAL (SELECT a.id, a.nonce FROM approval_row r JOIN approval a ON a.id = r.approval_id
      WHERE r.withdrawal_id = asked.id AND r.member_id = asked.member_id AND a.state = 'accepted' ORDER BY a.id LIMIT 100) l
    ORDER BY asked.id, l.id`.execute(db)
  return rows
}

const ACCEPTING = { withdrawals: 'accept_approval', decisions: 'accept_decision_approval' } as const

/**
 * The database's verdict: `accepted`, or what speaks against it. The journal's end is remembered with it.
 *
 * @param atLeast operators whom the key file asks for, a number for each row
 */
export async function acceptApproval(
  db: Db,
  purpose: Purpose,
  id: bigint,
  atLeast: readonly number[],
  head: Head,
): Promise<string> {
  const { rows } = await sql<{ verdict: string }>`
    SELECT ${sql.id(ACCEPTING[purpose])}(${id}, ${atLeast}::smallint[]) AS verdict, remember_journal(${head.sequence}, ${head.hash})`.execute(
    db,
  )
  return rows[0]?.verdict ?? 'approval_not_found'
}

export async function refuseApproval(db: Db, id: bigint, code: string): Promise<void> {
  await sql`SELECT refuse_approval(${id}, ${code})`.execute(db)
}

/** The journal's end as the database was last told. */
export async function findRemembered(db: Db): Promise<Head> {
  const { rows } = await sql<{
    sequence: bigint
    hash: string
  }>`SELECT sequence, hash FROM signer_journal`.execute(db)
  return { sequence: Number(rows[0]?.sequence ?? 0n), hash: rows[0]?.hash ?? '' }
}

/** Tells the database what was signed since the end that it remembers; how many of these it did not know. */
export async function reportSigned(db: Db, entries: readonly Of<'signed'>[]): Promise<number> {
  const { rows } = await sql<{
    lost: number
  }>`SELECT report_signed(${JSON.stringify(entries)}::jsonb) AS lost`.execute(db)
  return rows[0]?.lost ?? 0
}

export async function rememberJournal(db: Db, { sequence, hash }: Head): Promise<void> {
  await sql`SELECT remember_journal(${sequence}, ${hash})`.execute(db)
}

export async function isStopped(db: Db): Promise<boolean> {
  const { rows } = await sql<{ stopped: boolean }>`SELECT stopped FROM payout_stop`.execute(db)
  return rows[0]?.stopped ?? true
}
