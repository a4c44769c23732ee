import type { DB, Db, Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { query, queryColumn, queryFirst, queryOne } from '../../../core/query.sql.ts'
import type { RunKind, RunState } from './runs.rules.ts'

type RunRow = DB['payout_run']
export interface Run extends Omit<Selectable<RunRow>, 'kind' | 'state'> {
  readonly kind: RunKind
  readonly state: RunState
}

/** Opens the run of a kind and period, or answers the one that is there. */
export async function openRun(
  db: Db,
  run: Omit<Insertable<RunRow>, 'kind' | 'state'> & { readonly kind: RunKind },
): Promise<bigint> {
  const { kind, period } = run
  await db
    .insertInto('payout_run')
    .values({ ...run, state: 'computing' })
    .onConflict((same) =>
      same.columns(['kind', 'period']).where(sql<boolean>`state <> 'cancelled'`).doNothing(),
    )
    .execute()
  const opened = await selectRunOf(db, kind, period)
  if (opened === undefined) throw new Error(`run ${kind} ${period} cannot be opened`)
  return opened.id
}

/** One step at a time: another transaction waits here and then sees the result. */
export async function lockRun(tx: Tx, id: bigint): Promise<Run | undefined> {
  return queryFirst<Run>(tx)`SELECT * FROM payout_run WHERE id = ${id} FOR UPDATE`
}

export async function selectRun(db: Db, id: bigint): Promise<Run | undefined> {
  return queryFirst<Run>(db)`SELECT * FROM payout_run WHERE id = ${id}`
}

export type RunChange = Omit<Updateable<RunRow>, 'kind' | 'state'>

/** `newStage` restarts the clock by which a stage's speed is computed. */
export async function updateRun(
  tx: Tx,
  id: bigint,
  change: RunChange & { readonly state?: RunState },
  newStage: boolean,
): Promise<void> {
  await tx
    .updateTable('payout_run')
    .set(change)
    .$if(newStage, (query) => query.set({ stage_since: sql`clock_timestamp()` }))
    .where('id', '=', id)
    .execute()
}

/** Runs under way, oldest first. A held run waits for money or a decision, and is not among them. */
export async function selectUnderWay(db: Db, after: bigint, limit: number): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT id FROM payout_run WHERE state IN ('computing', 'sealed', 'released', 'posting') AND id > ${after}
    ORDER BY id LIMIT ${limit}`
}

/** What keeps a run from its release besides money: objections that no operator has overruled. */
const OBJECTED = sql.raw("objections <> '[]' AND overruled_at IS NULL")

/** Held runs that wait for money alone and that `available` would cover, each by itself, oldest first. */
export async function selectCoverable(
  db: Db,
  kinds: readonly RunKind[],
  available: Micro,
  after: bigint,
  limit: number,
): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT id FROM payout_run WHERE state = 'held' AND NOT (${OBJECTED}) AND kind = ANY(${[...kinds]}::text[])
      AND payable <= ${available}::bigint AND id > ${after} ORDER BY id LIMIT ${limit}`
}

/** Brings what held runs are short of up to date; writes only where it changed. */
export async function updateMissing(db: Db, kinds: readonly RunKind[], available: Micro): Promise<void> {
  await query(db)`UPDATE payout_run SET missing = greatest(payable - ${available}::bigint, 0)
    WHERE state = 'held' AND kind = ANY(${[...kinds]}::text[])
      AND missing <> greatest(payable - ${available}::bigint, 0)`
}

export async function selectDailyHistory(db: Db) {
  return queryOne<{ lastDay: string | null; firstInvestment: Date | null }>(db)`
    SELECT (SELECT max(period) FROM payout_run WHERE kind = 'passive' AND state <> 'cancelled') AS "lastDay",
      (SELECT min(credited_at) FROM investment) AS "firstInvestment"`
}

/** Whether a run of the kind and an earlier period is in one of the given states. */
export async function someEarlier(db: Db, kind: RunKind, period: string, states: readonly RunState[]) {
  const rows = await query(db)`SELECT FROM payout_run
    WHERE kind = ${kind} AND period < ${period} AND state = ANY(${[...states]}::text[]) LIMIT 1`
  return rows.length > 0
}

/** Whether a run of the kind and an earlier period is not computed yet, or not computed by the auditor to the same. */
export async function someUncertain(db: Db, kind: RunKind, period: string): Promise<boolean> {
  const rows = await query(db)`SELECT FROM payout_run r LEFT JOIN payout_audit a ON a.run_id = r.id
    WHERE r.kind = ${kind} AND r.period < ${period}
      AND (r.state = 'computing' OR (r.state IN ('sealed', 'held') AND a.verdict IS DISTINCT FROM 'matches')) LIMIT 1`
  return rows.length > 0
}

/** Whether a run of the kind and a later period stands on this one. */
export async function someLater(db: Db, kind: RunKind, period: string): Promise<boolean> {
  const rows = await query(db)`SELECT FROM payout_run
    WHERE kind = ${kind} AND period > ${period} AND state NOT IN ('computing', 'cancelled') LIMIT 1`
  return rows.length > 0
}

/** Where the latest earlier run of the kind ends; null before the first. */
export async function selectEarlierCutoff(db: Db, kind: RunKind, period: string): Promise<Date | null> {
  const rows = await query<{ cutoff_at: Date }>(db)`
    SELECT cutoff_at FROM payout_run WHERE kind = ${kind} AND period < ${period} AND state <> 'cancelled'
    ORDER BY period DESC LIMIT 1`
  return rows[0]?.cutoff_at ?? null
}

export interface Uncovered {
  readonly id: bigint
  readonly plan_version: number
  readonly credited_at: Date
}

/** Investments that no direct run covers yet, oldest first. */
export async function selectUncovered(db: Db, limit: number): Promise<Uncovered[]> {
  return query<Uncovered>(db)`
    SELECT id, plan_version, credited_at FROM investment WHERE id > (
      SELECT coalesce(max(last_investment), 0) FROM payout_run WHERE kind = 'direct' AND state <> 'cancelled')
    ORDER BY id LIMIT ${limit}`
}

/** The run of a kind and period that counts, whatever was cancelled before it. */
export async function selectRunOf(db: Db, kind: RunKind, period: string): Promise<Run | undefined> {
  return queryFirst<Run>(db)`
    SELECT * FROM payout_run WHERE kind = ${kind} AND period = ${period} AND state <> 'cancelled'`
}
