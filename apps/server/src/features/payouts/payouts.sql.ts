import type { Db, Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import type { MissedCommission, Upline } from '@aval/plan'
import { sql } from 'kysely'
import type { RunKind, RunState } from './payouts.rules.ts'

export interface Run {
  readonly id: bigint
  readonly kind: RunKind
  readonly period: string
  readonly cutoff_at: Date
  readonly plan_version: number
  readonly state: RunState
  readonly items_hash: string | null
  readonly item_count: number
  readonly item_sum: bigint
  readonly posted_count: number
  readonly posted_through: bigint
  readonly journal_id: bigint | null
  readonly at: Date
}

const RUN = sql.raw(
  'id, kind, period, cutoff_at, plan_version, state, items_hash, item_count, item_sum, posted_count, posted_through, journal_id, at',
)

/** Opens the run of a kind and period, or answers the one that is there. */
export async function openRun(
  db: Db,
  run: { kind: RunKind; period: string; cutoffAt: Date; planVersion: number; at: Date },
): Promise<bigint> {
  await sql`INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at)
    VALUES (${run.kind}, ${run.period}, ${run.cutoffAt}, ${run.planVersion}, 'computing', ${run.at})
    ON CONFLICT (kind, period) DO NOTHING`.execute(db)
  const { rows } = await sql<{ id: bigint }>`
    SELECT id FROM payout_run WHERE kind = ${run.kind} AND period = ${run.period}`.execute(db)
  if (rows[0] === undefined) throw new Error(`run ${run.kind} ${run.period} cannot be opened`)
  return rows[0].id
}

/** One step at a time: whoever else wants this run waits here and then sees what was done. */
export async function lockRun(tx: Tx, id: bigint): Promise<Run> {
  const { rows } = await sql<Run>`SELECT ${RUN} FROM payout_run WHERE id = ${id} FOR UPDATE`.execute(tx)
  if (rows[0] === undefined) throw new Error(`there is no run ${id}`)
  return rows[0]
}

export async function updateRun(
  tx: Tx,
  id: bigint,
  change: Partial<{
    state: RunState
    input_hash: string
    items_hash: string
    item_count: number
    item_sum: bigint
    posted_count: number
    posted_through: bigint
    missing: bigint
    journal_id: bigint
    finished_at: Date
  }>,
): Promise<void> {
  await tx.updateTable('payout_run').set(change).where('id', '=', id).execute()
}

/** Runs that are not done, oldest first. */
export async function selectUnfinished(db: Db, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('payout_run')
    .select('id')
    .where('state', '<>', 'done')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function selectPassiveHistory(
  db: Db,
): Promise<{ lastDay: string | null; firstInvestment: Date | null }> {
  const { rows } = await sql<{ last_day: string | null; first: Date | null }>`
    SELECT (SELECT max(period) FROM payout_run WHERE kind = 'passive') AS last_day,
      (SELECT min(credited_at) FROM investment) AS first`.execute(db)
  return { lastDay: rows[0]?.last_day ?? null, firstInvestment: rows[0]?.first ?? null }
}

/**
 * Principal of each member at the cutoff, by member, at most `limit` above `after`: what stands now less what came since.
 * Once the period is closed the answer never changes again.
 */
export async function selectPrincipalAt(
  tx: Tx,
  cutoff: Date,
  after: bigint,
  limit: number,
): Promise<{ memberId: bigint; principal: Micro }[]> {
  const { rows } = await sql<{ member_id: bigint; principal: bigint }>`
    SELECT b.member_id, (b.principal - coalesce(since.amount, 0))::bigint AS principal
    FROM member_balance b
    LEFT JOIN (SELECT member_id, sum(amount) AS amount FROM investment WHERE credited_at >= ${cutoff} GROUP BY member_id) since
      ON since.member_id = b.member_id
    WHERE b.member_id > ${after} ORDER BY b.member_id LIMIT ${limit}`.execute(tx)
  return rows.map((row) => ({ memberId: row.member_id, principal: micro(row.principal) }))
}

/** The sponsor chain above a member, nearest first, with whether each is active now. */
export async function selectUplines(db: Db, memberId: bigint): Promise<Upline[]> {
  const { rows } = await sql<{ member_id: bigint; extra: string; master: boolean; active: boolean }>`
    WITH RECURSIVE up (member_id, master, level) AS (
      SELECT sponsor_id, is_master, 1 FROM sponsorship WHERE member_id = ${memberId} AND sponsor_id IS NOT NULL
      UNION ALL
      SELECT s.sponsor_id, s.is_master, up.level + 1 FROM up JOIN sponsorship s ON s.member_id = up.member_id
      WHERE s.sponsor_id IS NOT NULL
    )
    SELECT up.member_id, s.extra_percent AS extra, up.master, b.principal > 0 AS active
    FROM up JOIN sponsorship s ON s.member_id = up.member_id JOIN member_balance b ON b.member_id = up.member_id
    WHERE up.level <= 10 OR up.master ORDER BY up.level`.execute(db)
  return rows.map((row) => ({
    memberId: row.member_id,
    active: row.active,
    extraPercent: row.extra,
    masterLink: row.master,
  }))
}

export function selectInvestment(db: Db, memberId: bigint, id: bigint) {
  return db
    .selectFrom('investment')
    .select(['amount', 'plan_version', 'credited_at'])
    .where('member_id', '=', memberId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export interface NewItem {
  readonly memberId: bigint
  readonly kind: 'passive' | 'direct' | 'master'
  readonly amount: Micro
  readonly basis: Micro
  readonly percentage: string
  readonly level: number | null
  readonly fromMemberId: bigint | null
}

/** Writes items in one statement, whatever their number: one array a column. */
export async function insertItems(tx: Tx, runId: bigint, items: readonly NewItem[]): Promise<void> {
  if (items.length === 0) return
  await sql`
    INSERT INTO payout_item (member_id, run_id, kind, amount, basis, percentage, level, from_member_id)
    SELECT i.member_id, ${runId}, i.kind::posting_kind, i.amount, i.basis, i.percentage, i.level, i.from_member_id
    FROM unnest(${items.map((i) => i.memberId)}::bigint[], ${items.map((i) => i.kind)}::text[],
      ${items.map((i) => i.amount)}::bigint[], ${items.map((i) => i.basis)}::bigint[],
      ${items.map((i) => i.percentage)}::text[], ${items.map((i) => i.level)}::int[],
      ${items.map((i) => i.fromMemberId)}::bigint[])
      AS i (member_id, kind, amount, basis, percentage, level, from_member_id)`.execute(tx)
}

export async function insertBreakage(
  tx: Tx,
  runId: bigint,
  missed: readonly MissedCommission[],
): Promise<void> {
  if (missed.length === 0) return
  await tx
    .insertInto('payout_breakage')
    .values(
      missed.map(({ memberId, level, amount, reason }) => ({
        member_id: memberId,
        run_id: runId,
        level,
        amount,
        reason,
      })),
    )
    .execute()
}
