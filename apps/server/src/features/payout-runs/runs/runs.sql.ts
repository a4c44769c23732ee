import type { DB, Db, Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { type Insertable, type RawBuilder, type Selectable, sql, type Updateable } from 'kysely'
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

/** Company capital into a pool, once a key. */
export async function fundPool(
  tx: Tx,
  funding: { pool: string; amount: Micro; key: string; operatorId: bigint | null; reason: string },
  now: Date,
): Promise<void> {
  const { pool, amount, key, operatorId, reason } = funding
  await query(tx)`SELECT fund_pool(${pool}, ${amount}, ${key}, ${now}, ${operatorId}, ${reason})`
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

/** Whether a run of the kind and a later period is there. */
export async function someLater(db: Db, kind: RunKind, period: string): Promise<boolean> {
  const rows = await query(db)`SELECT FROM payout_run
    WHERE kind = ${kind} AND period > ${period} AND state <> 'cancelled' LIMIT 1`
  return rows.length > 0
}

/** By what was released alone is a run measured: one that is held may be what is wrong. */
const WAS_RELEASED = sql.raw("state IN ('released', 'posting', 'done')")

/** What the run before it of the kind came to under the plan's own rate, past days that compare with nothing. */
export async function selectComparable(db: Db, kind: RunKind, period: string): Promise<bigint | null> {
  const rows = await query<{ comparable: bigint }>(db)`
    SELECT comparable FROM payout_run WHERE kind = ${kind} AND period < ${period} AND comparable IS NOT NULL
      AND ${WAS_RELEASED} ORDER BY period DESC LIMIT 1`
  return rows[0]?.comparable ?? null
}

const MOST_RUNS = 20

/**
 * What direct runs before this one paid, and what was invested in them: the latest, as many as it takes for as much
 * invested as in this run, 20 at most. A single small investment, whose upline may all be inactive, is no measure.
 */
export async function selectDirectRate(db: Db, run: Pick<Run, 'first_investment' | 'last_investment'>) {
  const investedIn = (first: RawBuilder<unknown>, last: RawBuilder<unknown>) =>
    sql`(SELECT coalesce(sum(amount), 0)::bigint FROM investment WHERE id BETWEEN ${first} AND ${last})`
  return queryOne<{ invested: bigint; paid_before: bigint; invested_before: bigint }>(db)`
    WITH own AS (SELECT ${investedIn(sql`${run.first_investment}`, sql`${run.last_investment}`)} AS invested),
    earlier AS (SELECT item_sum, last_investment, ${investedIn(sql.ref('r.first_investment'), sql.ref('r.last_investment'))} AS invested
      FROM payout_run r WHERE kind = 'direct' AND ${WAS_RELEASED}
        AND last_investment < ${run.first_investment} ORDER BY last_investment DESC LIMIT ${MOST_RUNS}),
    counted AS (SELECT item_sum, invested, sum(invested) OVER (ORDER BY last_investment DESC) - invested AS later FROM earlier)
    SELECT own.invested, coalesce(sum(c.item_sum), 0)::bigint AS paid_before, coalesce(sum(c.invested), 0)::bigint AS invested_before
    FROM own LEFT JOIN counted c ON c.later < own.invested GROUP BY own.invested`
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
