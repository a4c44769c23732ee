/** Opening runs, one a kind and period, with the inputs closed first; and changing a run's state. */
import { type Database, type Db, inTransaction, type Tx } from '@aval/db'
import { type Day, dayStart, isDay } from '@aval/plan'
import { drawNumber } from '../../../core/network.sql.ts'
import { closePeriod } from '../../../ledger/ledger.commands.ts'
import { planOfDay, plansOf } from '../../plan-versions/plan-versions.queries.ts'
import { dueMidnights, type Midnight, mayBecome, type RunState } from './runs.rules.ts'
import * as store from './runs.sql.ts'

/** Midnights caught up in one go; a longer absence goes on at the next tick. */
const MOST_DAYS = 400
/** Investments a batch: a run of some hundred thousand commissions fits into one transaction. */
const MOST_INVESTMENTS = 50_000
const MOST_BATCHES = 1000

export async function midnightsDue(db: Db, now: Date): Promise<Midnight[]> {
  const zones = await plansOf(db)
  const history = await store.selectDailyHistory(db)
  const lastDay = history.lastDay !== null && isDay(history.lastDay) ? history.lastDay : null
  return dueMidnights({ ...history, lastDay }, now, zones, MOST_DAYS)
}

async function openDaily(tx: Tx, kind: 'passive' | 'binary', day: Day, cutoffAt: Date) {
  // A day is computed under the plan that was in force when it began.
  const { version } = await planOfDay(tx, day)
  return store.openRun(tx, { kind, period: day, cutoff_at: cutoffAt, plan_version: version, at: cutoffAt })
}

/**
 * Opens the two runs of a midnight: passive profit of the day that begins, the match of the day that ends. Their inputs
 * are closed with them: what is invested later belongs to the next day.
 */
export async function openMidnight(db: Database, { day, matched, cutoffAt }: Midnight): Promise<bigint[]> {
  return inTransaction(db, async (tx) => {
    await closePeriod(tx, cutoffAt)
    return [await openDaily(tx, 'passive', day, cutoffAt), await openDaily(tx, 'binary', matched, cutoffAt)]
  })
}

async function openBatch(tx: Tx): Promise<bigint | null> {
  const asOf = await drawNumber(tx)
  const waiting = await store.selectUncovered(tx, MOST_INVESTMENTS)
  const [first] = waiting
  if (first === undefined) return null
  // One plan a run: a batch ends where the plan changed.
  const change = waiting.findIndex(({ plan_version }) => plan_version !== first.plan_version)
  const batch = change === -1 ? waiting : waiting.slice(0, change)
  const last = batch.at(-1) ?? first
  const latest = new Date(Math.max(...batch.map(({ credited_at }) => credited_at.getTime())))
  return store.openRun(tx, {
    kind: 'direct',
    period: `${first.id}-${last.id}`,
    cutoff_at: latest,
    plan_version: first.plan_version,
    at: latest,
    first_investment: first.id,
    last_investment: last.id,
    as_of: asOf,
  })
}

/** Opens direct runs until every committed investment is covered by one. */
export async function openBatches(db: Database): Promise<bigint[]> {
  const opened: bigint[] = []
  while (opened.length < MOST_BATCHES) {
    // Most of the time nothing waits, and a read is cheaper than the lock.
    if ((await store.selectUncovered(db, 1)).length === 0) return opened
    const id = await inTransaction(db, openBatch)
    if (id === null) return opened
    opened.push(id)
  }
  return opened
}

/** The first instant of the day that a binary run matches; it ends at the run's cutoff. */
export function dayBegins(run: store.Run, timeZone: string): Date {
  if (!isDay(run.period)) throw new Error(`run ${run.id} has no day for a period`)
  return dayStart(run.period, timeZone)
}

/** The one setter of a run's state. */
export async function setState(tx: Tx, run: store.Run, to: RunState, change: store.RunChange = {}) {
  if (!mayBecome(run.state, to)) throw new Error(`run ${run.id} cannot go from ${run.state} to ${to}`)
  await store.updateRun(tx, run.id, { ...change, state: to }, run.state !== to)
}
