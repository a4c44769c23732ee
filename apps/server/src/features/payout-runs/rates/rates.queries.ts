/** Declared rates: what passive profit pays on a day, where an operator said less than the plan. */
import type { DeclaredRate } from '@aval/contract'
import type { Db } from '@aval/db'
import { percent, ratioToPercentText } from '@aval/money'
import { addDays, companyDayAt, companyDayStart, isDay, termsOfDay } from '@aval/plan'
import { countOf, query } from '../../../core/query.sql.ts'
import { inForce, planOfDay, type plansOf } from '../../plan-versions/plan-versions.queries.ts'
import { selectDeclared } from '../calculate/calculate.sql.ts'

interface StoredRate {
  readonly day: string
  readonly percentage: string
  readonly reason: string | null
  readonly declared_by: string | null
  readonly declared_at: Date
}

async function withTarget(db: Db, row: StoredRate): Promise<DeclaredRate> {
  if (!isDay(row.day)) throw new Error(`a rate was declared for no day: ${row.day}`)
  const { plan } = await planOfDay(db, row.day)
  return {
    day: row.day,
    percentage: ratioToPercentText(percent(row.percentage), 6),
    target: ratioToPercentText(termsOfDay(plan, row.day, null).rate, 6),
    reason: row.reason,
    declared_by: row.declared_by ?? '',
    declared_at: row.declared_at.toISOString(),
  }
}

/** The last rate declared for each day, newest day first, beside what the plan itself pays on that day. */
export async function listRates(db: Db, limit: number, offset: number) {
  const rows = await query<StoredRate>(db)`
    SELECT d.day, d.percentage, d.reason, m.username AS declared_by, d.declared_at
    FROM (SELECT DISTINCT ON (day) day, percentage, reason, declared_by, declared_at FROM declared_rate
      ORDER BY day DESC, id DESC LIMIT ${limit} OFFSET ${offset}) d LEFT JOIN member m ON m.id = d.declared_by
    ORDER BY d.day DESC`
  const count = await countOf(db)`(SELECT DISTINCT day FROM declared_rate) days`
  const results: DeclaredRate[] = []
  for (const row of rows) results.push(await withTarget(db, row))
  return { results, count }
}

const A_WEEK = 7

/**
 * The next day that profit is paid on, and its terms, with what is declared for it: a day declared to pay nothing counts, a
 * weekend that the plan leaves out does not. Null where the plans pay nothing.
 */
export async function nextTerms(db: Db, plans: Awaited<ReturnType<typeof plansOf>>, now: Date) {
  let day = companyDayAt(now, plans)
  for (let ahead = 0; ahead < A_WEEK; ahead += 1) {
    day = addDays(day, 1)
    const { plan } = inForce(plans, companyDayStart(day, plans))
    const declared = await selectDeclared(db, day)
    const terms = termsOfDay(plan, day, declared?.percentage ?? null)
    if (terms.source === 'declared' || terms.rate.numerator > 0n) return { day, terms }
  }
  return null
}
