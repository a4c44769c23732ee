import type { ApprovalRow, DecisionRow } from '@aval/approvals'
import type { PoolName } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { countOf, query, queryOne, queryValue } from '../../core/query.sql.ts'

/** Sets how far business time runs from the system's. */
export async function setOffset(db: Db, offsetMs: bigint): Promise<void> {
  await query(db)`INSERT INTO demo_clock (offset_ms) VALUES (${offsetMs})
    ON CONFLICT (singleton) DO UPDATE SET offset_ms = excluded.offset_ms`
}

/** Marks that a day is being advanced; false when one is being advanced already. */
export async function beginAdvance(db: Db, to: Date): Promise<boolean> {
  const rows = await query(db)`
    INSERT INTO demo_clock (offset_ms, advancing_to) VALUES (0, ${to})
    ON CONFLICT (singleton) DO UPDATE SET advancing_to = ${to} WHERE demo_clock.advancing_to IS NULL
    RETURNING 1`
  return rows.length === 1
}

export async function endAdvance(db: Db): Promise<void> {
  await db.updateTable('demo_clock').set({ advancing_to: null }).execute()
}

export async function isAdvancing(db: Db): Promise<boolean> {
  const row = await db.selectFrom('demo_clock').select('advancing_to').executeTakeFirst()
  return row !== undefined && row.advancing_to !== null
}

/** Whether both runs of a midnight came to a stop: done, held, or not needed before the first investment. */
export async function midnightRests(db: Db, day: string, before: string): Promise<boolean> {
  return queryValue<boolean>(db)`
    SELECT NOT EXISTS (SELECT FROM investment) OR 2 = (
      SELECT count(*) FROM payout_run WHERE state IN ('done', 'held')
        AND ((kind = 'passive' AND period = ${day}) OR (kind = 'binary' AND period = ${before}))) AS rests`
}

/** Whether no run is under way: each is done, or held. */
export async function runsRest(db: Db): Promise<boolean> {
  return (await countOf(db)`payout_run WHERE state IN ('computing', 'sealed', 'released', 'posting')`) === 0
}

export async function countInvestments(db: Db, memberId: bigint): Promise<number> {
  return countOf(db)`investment WHERE member_id = ${memberId}`
}

/** Work that the other processes have not finished: invoices that were paid, and commissions that are due. */
export async function countPending(db: Db, txnIds: readonly string[]): Promise<number> {
  return queryValue<number>(db)`
    SELECT ((SELECT count(*) FROM invoice_key k JOIN invoice i ON i.member_id = k.member_id AND i.id = k.invoice_id
        WHERE k.txn_id = ANY(${txnIds}::text[]) AND i.state <> 'paid')
      + (SELECT count(*) FROM investment WHERE id > (
          SELECT coalesce(max(last_investment), 0) FROM payout_run WHERE kind = 'direct' AND state = 'done')))::int AS pending`
}

export async function selectCapital(db: Db): Promise<bigint> {
  return queryValue<bigint>(db)`
    SELECT coalesce(sum(amount), 0)::bigint AS amount FROM (
      SELECT amount FROM posting WHERE member_id = 0 AND kind = 'company_deposit' AND journal_id >= (SELECT sealed_until())
      UNION ALL SELECT amount FROM ledger_seal_sum WHERE kind = 'company_deposit') parts`
}

/** Company capital into a pool, once, by the owner of the tables: as which the demo is made, and no program of the product runs. */
export async function fillPool(db: Db, pool: PoolName, amount: bigint, now: Date): Promise<void> {
  await query(db)`SELECT fund_pool(${pool}, ${amount}, 'demo', ${now}, NULL, 'Capital inicial')`
}

/** What was proposed about money and waits, as operators sign it. */
export function selectProposed(db: Db): Promise<DecisionRow[]> {
  return query<DecisionRow>(db)`
    SELECT id AS "decisionId", kind, statement FROM decision WHERE state = 'open' AND kind IN ('fund_pool', 'resume_payments') ORDER BY id`
}

/** What the approvals page would hand in about decisions. @returns its number */
export async function submitDecisions(db: Db, given: Submitted & { readonly rows: readonly DecisionRow[] }) {
  const { operatorId, network, nonce, expiresAt, root, proof, rows } = given
  return queryValue<bigint>(db)`
    SELECT submit_decision_approval(${operatorId}::bigint, ${network}::text, ${nonce}::text, ${expiresAt}::timestamptz, ${root}::text,
      ${JSON.stringify(proof)}::jsonb, ${rows.map(({ decisionId }) => decisionId)}::bigint[], ${rows.map(({ kind }) => kind)}::text[],
      ${rows.map(({ statement }) => JSON.stringify(statement))}::jsonb[])`
}

/** The same without a signer that knows the demo's operators: by the owner of the tables. */
export async function applyProposed(db: Db, id: bigint, operatorId: bigint, now: Date): Promise<void> {
  await query(db)`SELECT apply_decision(${id}, ${operatorId}, ${now})`
}

/** Keeps the key of an act of the story, as a call's is kept. @returns false where it is there */
export async function beginAct(tx: Tx, key: string, at: Date): Promise<boolean> {
  const rows = await query(tx)`
    INSERT INTO idempotency_response (member_id, key, request_hash, status, body, at) VALUES (0, ${key}, '', 200, '', ${at})
    ON CONFLICT (member_id, key) DO NOTHING RETURNING 1`
  return rows.length === 1
}

/** How many transfers of a member came to this. */
export async function countCredits(db: Db, memberId: bigint, outcome: string): Promise<number> {
  return countOf(db)`deposit_credit WHERE member_id = ${memberId} AND outcome = ${outcome}`
}

/** The last of them. */
export function selectTransfer(
  db: Db,
  memberId: bigint,
  outcome: string,
): Promise<{ txid: string; position: number }> {
  return queryOne<{ txid: string; position: number }>(db)`
    SELECT txid, position FROM deposit_credit WHERE member_id = ${memberId} AND outcome = ${outcome}
    ORDER BY credited_at DESC LIMIT 1`
}

export async function selectLastSession(db: Db, memberId: bigint): Promise<string> {
  return queryValue<string>(db)`
    SELECT id FROM session WHERE member_id = ${memberId} ORDER BY started_at DESC LIMIT 1`
}

export async function selectPhone(db: Db, memberId: bigint): Promise<string> {
  const { phone_number } = await db
    .selectFrom('member')
    .select('phone_number')
    .where('id', '=', memberId)
    .executeTakeFirstOrThrow()
  return phone_number
}

/** Who has a member's conversation, by username. */
export async function selectAssignee(db: Db, memberId: bigint): Promise<string | null> {
  return queryValue<string | null>(db)`
    SELECT (SELECT o.username FROM support_thread t JOIN member o ON o.id = t.assigned_to
      WHERE t.member_id = ${memberId}) AS username`
}

export interface RequestedRow {
  readonly id: bigint
  readonly memberId: bigint
  readonly amount: bigint
  readonly fee: bigint
  readonly wallet: string
}

/** What these members asked for and nobody has decided. */
export function selectRequested(db: Db, members: readonly bigint[]): Promise<RequestedRow[]> {
  return query<RequestedRow>(db)`
    SELECT id, member_id AS "memberId", amount, fee, wallet_address AS wallet FROM withdrawal
    WHERE member_id = ANY(${[...members]}::bigint[]) AND state = 'requested' ORDER BY id`
}

/** What of theirs is on its way. */
export async function countUnpaid(db: Db, members: readonly bigint[]): Promise<number> {
  return countOf(db)`withdrawal WHERE member_id = ANY(${[...members]}::bigint[]) AND state = 'approved'`
}

interface Submitted {
  readonly operatorId: bigint
  readonly network: string
  readonly nonce: string
  readonly expiresAt: Date
  readonly root: string
  readonly proof: object
}

/** What the approvals page would hand in. @returns its number */
export async function submitApproval(
  db: Db,
  given: Submitted & { readonly rows: readonly ApprovalRow[] },
): Promise<bigint> {
  const { operatorId, network, nonce, expiresAt, root, proof, rows } = given
  const numbers = (field: 'withdrawalId' | 'memberId' | 'amount' | 'fee') => rows.map((row) => row[field])
  return queryValue<bigint>(db)`
    SELECT submit_approval(${operatorId}::bigint, 'withdrawals', ${network}::text, ${nonce}::text, ${expiresAt}::timestamptz, ${root}::text,
      ${JSON.stringify(proof)}::jsonb, ${numbers('withdrawalId')}::bigint[], ${numbers('memberId')}::bigint[],
      ${numbers('amount')}::bigint[], ${numbers('fee')}::bigint[], ${rows.map(({ wallet }) => wallet)}::text[])`
}

export async function approvalState(db: Db, id: bigint): Promise<string> {
  return queryValue<string>(db)`SELECT state FROM approval WHERE id = ${id}`
}

/** Who approves by the key file that the signer read last: numbers of members, with commas. */
export async function selectKeyFile(db: Db): Promise<string> {
  return queryValue<string>(db)`
    SELECT coalesce((SELECT details->>'members' FROM audit_event WHERE action = 'key_file.use' ORDER BY id DESC LIMIT 1), '')`
}

/** The code of the last mail about a withdrawal, as its member reads it. */
export async function selectWithdrawalCode(db: Db, memberId: bigint): Promise<string> {
  return queryValue<string>(db)`
    SELECT params->>'code' FROM mail_message WHERE member_id = ${memberId} AND template = 'withdrawal_code' ORDER BY id DESC LIMIT 1`
}
