import type { DeclaredRate } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { percent, ratioToPercentText } from '@aval/money'
import { addDays, dayAt, dayStart, isDay, termsOfDay } from '@aval/plan'
import { Refusal } from '../../../core/refusal.ts'
import { isPlanned, planAt } from '../../plan-versions/plan-versions.queries.ts'
import { declareRate } from '../advance.commands.ts'
import { type StoredRate, selectDeclaredDays } from './rates.sql.ts'

/** So far ahead a day may be; beyond that it is a slipped digit. */
const MOST_DAYS_AHEAD = 366

async function withTarget(db: Db, row: StoredRate, timeZone: string): Promise<DeclaredRate> {
  if (!isDay(row.day)) throw new Error(`a rate was declared for no day: ${row.day}`)
  const { plan } = await planAt(db, dayStart(row.day, timeZone))
  return {
    day: row.day,
    percentage: ratioToPercentText(percent(row.percentage), 6),
    target: ratioToPercentText(termsOfDay(plan, row.day, null).rate, 6),
    declared_by: row.declared_by ?? '',
    declared_at: row.declared_at.toISOString(),
  }
}

/** Declared rates, newest day first, each beside what the plan itself pays on that day. */
export async function listRates(
  db: Db,
  now: Date,
  limit: number,
  offset: number,
): Promise<{ results: DeclaredRate[]; count: number }> {
  const { rows, count } = await selectDeclaredDays(db, limit, offset)
  const { timeZone } = (await planAt(db, now)).plan
  const results: DeclaredRate[] = []
  for (const row of rows) results.push(await withTarget(db, row, timeZone))
  return { results, count }
}

/**
 * Declares what passive profit pays on a day. Answers the percentage as it counts.
 *
 * @throws Refusal for a day more than a year ahead or before the first plan, above the plan's rate, or paid already.
 */
export async function declare(
  tx: Tx,
  declared: { day: string; percentage: string; operatorId: bigint; now: Date },
): Promise<string> {
  const { day, percentage, now } = declared
  const { timeZone } = (await planAt(tx, now)).plan
  if (!isDay(day)) throw new Refusal('dates_invalid')
  if (day > addDays(dayAt(now, timeZone), MOST_DAYS_AHEAD)) throw new Refusal('dates_invalid')
  if (!(await isPlanned(tx, dayStart(day, timeZone)))) throw new Refusal('dates_invalid')
  await declareRate(tx, { ...declared, day })
  return ratioToPercentText(percent(percentage), 6)
}
