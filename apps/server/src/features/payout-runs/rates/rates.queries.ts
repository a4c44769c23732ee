/** Declared rates: what passive profit pays on a day, where an operator said less than the plan. */
import type { DeclaredRate } from '@aval/contract'
import type { Db } from '@aval/db'
import { percent, ratioToPercentText } from '@aval/money'
import { dayStart, isDay, termsOfDay } from '@aval/plan'
import { planAt } from '../../plan-versions/plan-versions.queries.ts'
import { type StoredRate, selectDeclaredDays } from '../calculate/calculate.sql.ts'

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
