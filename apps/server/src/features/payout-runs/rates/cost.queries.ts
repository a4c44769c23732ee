/** What a lower rate would cost members, before it is declared. */
import type { RateCost } from '@aval/contract'
import type { Db } from '@aval/db'
import { applyRatio, formatAmount, micro, type Ratio, ratioToPercentText } from '@aval/money'
import { isDay, termsOfDay } from '@aval/plan'
import { Refusal } from '../../../core/refusal.ts'
import { guardedBalance } from '../../../ledger/ledger.queries.ts'
import { isPlanned, planOfDay } from '../../plan-versions/plan-versions.queries.ts'
import { digestFor, type Figures } from '../items/items.queries.ts'
import { selectLatestPassive } from '../items/items.sql.ts'
import type { RunState } from '../runs/runs.rules.ts'

/** Micro-USDT of principal from which on a class begins; as the digest counts them. */
const FROM = [0n, 1n, 1_000_000_000n, 10_000_000_000n, 100_000_000_000n] as const

interface Rates {
  readonly plan: Ratio
  readonly declared: Ratio
}

/** From sums of principal: of each member a fraction of a micro-USDT less may really be paid. */
function costOf(rows: Figures['classes'], rates: Rates) {
  const principal = micro(rows.reduce((sum, [, , amount]) => sum + amount, 0n))
  const [atPlan, atDeclared] = [applyRatio(principal, rates.plan), applyRatio(principal, rates.declared)]
  return {
    members: rows.reduce((sum, [, count]) => sum + count, 0),
    principal: formatAmount(principal),
    at_plan: formatAmount(atPlan),
    at_declared: formatAmount(atDeclared),
    less: formatAmount(atPlan - atDeclared),
  }
}

/**
 * By the principal of the day's run where there is one, else of the last run before it: sums by class, made when that was sealed.
 *
 * @throws Refusal for a day before the first plan
 */
export async function rateCostOf(db: Db, day: string, percentage: string): Promise<RateCost> {
  if (!isDay(day) || !(await isPlanned(db, day))) throw new Refusal('dates_invalid')
  const { plan } = await planOfDay(db, day)
  const run = await selectLatestPassive(db, day)
  const digest = run === undefined ? null : await digestFor(db, run)
  const classes = digest?.figures.classes ?? []
  const rates = { plan: termsOfDay(plan, day, null).rate, declared: termsOfDay(plan, day, percentage).rate }
  return {
    ...costOf(classes, rates),
    day,
    percentage: ratioToPercentText(rates.declared, 6),
    target: ratioToPercentText(rates.plan, 6),
    run:
      run === undefined || digest === null
        ? null
        : { id: Number(run.id), period: run.period, state: run.state as RunState },
    pool: formatAmount(await guardedBalance(db, 'pool:profit')),
    classes: classes.map((row) => ({ from: formatAmount(FROM[row[0]] ?? 0n), ...costOf([row], rates) })),
  }
}
