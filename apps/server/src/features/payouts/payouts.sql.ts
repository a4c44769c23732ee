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
  readonly missing: bigint
  readonly journal_id: bigint | null
  readonly at: Date
}

const RUN = sql.raw(
  'id, kind, period, cutoff_at, plan_version, state, items_hash, item_count, item_sum, posted_count, posted_through, missing, journal_id, at',
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

/** Runs on their way, oldest first; a held one waits for money and is none of them. */
export async function selectUnderWay(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  const rows = await db
    .selectFrom('payout_run')
    .select('id')
    .where('state', 'in', ['computing', 'sealed', 'released'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Held runs of a kind that `available` would cover, each by itself, oldest first. */
export async function selectCoverable(
  db: Db,
  kind: RunKind,
  available: Micro,
  after: bigint,
  limit: number,
): Promise<bigint[]> {
  const rows = await db
    .selectFrom('payout_run')
    .select('id')
    .where('state', '=', 'held')
    .where('kind', '=', kind)
    .where('item_sum', '<=', available)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

/** Brings what held runs are short of up to date; writes only where it changed. */
export async function updateMissing(db: Db, kind: RunKind, available: Micro): Promise<void> {
  await sql`UPDATE payout_run SET missing = item_sum - ${available}::bigint
    WHERE state = 'held' AND kind = ${kind} AND item_sum > ${available}::bigint
      AND missing <> item_sum - ${available}::bigint`.execute(db)
}

/** One at a time takes from a pool, so that the second reads what the first left. */
export async function lockPool(tx: Tx, pool: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(7203, hashtext(${pool}))`.execute(tx)
}

/** Investments without a run of their commissions, oldest first: their job is to come, or was lost. */
export async function selectWithoutRun(
  db: Db,
  after: bigint,
  limit: number,
): Promise<{ memberId: bigint; id: bigint }[]> {
  const { rows } = await sql<{ member_id: bigint; id: bigint }>`
    SELECT i.member_id, i.id FROM investment i WHERE i.id > ${after} AND NOT EXISTS (
      SELECT FROM payout_run r WHERE r.kind = 'direct' AND r.period = i.member_id || ':' || i.id)
    ORDER BY i.id LIMIT ${limit}`.execute(db)
  return rows.map((row) => ({ memberId: row.member_id, id: row.id }))
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
    SELECT b.member_id, (b.principal - coalesce((
      SELECT sum(i.amount) FROM investment i WHERE i.member_id = b.member_id AND i.credited_at >= ${cutoff}), 0))::bigint AS principal
    FROM member_balance b
    WHERE b.member_id > ${after} ORDER BY b.member_id LIMIT ${limit}`.execute(tx)
  return rows.map((row) => ({ memberId: row.member_id, principal: micro(row.principal) }))
}

/**
 * The sponsor chain above a member, nearest first: the levels that pay by distance, and every master link up to the root.
 * It recurses over the narrow sponsor table alone; who is active now is read after it.
 */
export async function selectUplines(db: Db, memberId: bigint, flatLevels: number): Promise<Upline[]> {
  const { rows } = await sql<{ member_id: bigint; level: number; extra: string; master: boolean }>`
    WITH RECURSIVE up (member_id, master, level) AS (
      SELECT sponsor_id, is_master, 1 FROM sponsorship WHERE member_id = ${memberId} AND sponsor_id IS NOT NULL
      UNION ALL
      SELECT s.sponsor_id, s.is_master, up.level + 1 FROM up JOIN sponsorship s ON s.member_id = up.member_id
      WHERE s.sponsor_id IS NOT NULL
    )
    SELECT up.member_id, up.level, s.extra_percent AS extra, up.master
    FROM up JOIN sponsorship s ON s.member_id = up.member_id
    WHERE up.level <= ${flatLevels} OR up.master ORDER BY up.level`.execute(db)
  const ids = rows.map((row) => row.member_id)
  const active = await sql<{ member_id: bigint }>`
    SELECT member_id FROM member_balance WHERE member_id = ANY(${ids}::bigint[]) AND principal > 0`.execute(
    db,
  )
  const actives = new Set(active.rows.map((row) => row.member_id))
  return rows.map((row) => ({
    memberId: row.member_id,
    level: row.level,
    active: actives.has(row.member_id),
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
