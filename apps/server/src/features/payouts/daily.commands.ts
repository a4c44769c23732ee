import { type Database, inTransaction } from '@aval/db'
import { dayStart, isDay } from '@aval/plan'
import { closePeriod } from '../../ledger/ledger.commands.ts'
import { planAt } from '../plans/plan-versions.commands.ts'
import { dueDays } from './payouts.rules.ts'
import { openRun, selectPassiveHistory } from './payouts.sql.ts'

/** Days caught up in one go; a longer absence goes on at the next tick. */
const MOST_DAYS = 400

/**
 * Opens the passive run of every day that is due and has none, oldest first, each under its own date. Before a run is
 * opened its day's inputs are closed: what is invested later belongs to the next day.
 */
export async function openPassiveRuns(db: Database, now: Date): Promise<bigint[]> {
  const { plan } = await planAt(db, now)
  const history = await selectPassiveHistory(db)
  const lastDay = history.lastDay !== null && isDay(history.lastDay) ? history.lastDay : null
  const days = dueDays({ ...history, lastDay }, now, plan.timeZone, MOST_DAYS)
  const opened: bigint[] = []
  for (const day of days) {
    const cutoffAt = dayStart(day, plan.timeZone)
    const { version } = await planAt(db, cutoffAt)
    await inTransaction(db, (tx) => closePeriod(tx, cutoffAt))
    opened.push(
      await openRun(db, { kind: 'passive', period: day, cutoffAt, planVersion: version, at: cutoffAt }),
    )
  }
  return opened
}
