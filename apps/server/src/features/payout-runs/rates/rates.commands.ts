import type { Tx } from '@aval/db'
import { percent, ratioToPercentText } from '@aval/money'
import { addDays, companyDayAt, type Day, dailyRate, exceedsPlan, isDay } from '@aval/plan'
import { Refusal } from '../../../core/refusal.ts'
import { isPlanned, planOfDay, plansOf } from '../../plan-versions/plan-versions.queries.ts'
import { insertDeclared, lockDay, selectDeclared } from '../calculate/calculate.sql.ts'
import { selectRunOf } from '../runs/runs.sql.ts'

/** So far ahead a day may be; beyond that it is a slipped digit. */
const MOST_DAYS_AHEAD = 366
const SHORTEST_REASON_CHARACTERS = 3
const NOT_RELEASED: readonly string[] = ['computing', 'sealed', 'held']

/**
 * Declares what passive profit pays on a day, as percent of principal: the plan's own or less. A run that was computed and
 * not released keeps its rate until it is cancelled.
 *
 * @throws Refusal above the plan's own rate, below it without a reason, or when the day was released already.
 */
export async function declareRate(
  tx: Tx,
  declared: { day: Day; percentage: string; reason: string | null; operatorId: bigint; now: Date },
): Promise<void> {
  const { plan } = await planOfDay(tx, declared.day)
  const limit = ratioToPercentText(dailyRate(plan), 6)
  const rate = percent(declared.percentage)
  // As it is shown: a third of a percent is the plan's own.
  const isLower = ratioToPercentText(rate, 6) !== limit && !exceedsPlan(plan, rate)
  if (isLower && (declared.reason ?? '').length < SHORTEST_REASON_CHARACTERS)
    throw new Refusal('field_required', {}, [{ path: 'reason', key: 'field_required', params: {} }])
  if (exceedsPlan(plan, rate)) throw new Refusal('rate_too_high', { limit })
  const run = await selectRunOf(tx, 'passive', declared.day)
  // A day that has begun pays by what was declared before, also where nothing was up to compute it yet.
  const hasBegun = declared.day <= companyDayAt(declared.now, await plansOf(tx))
  if (run === undefined ? hasBegun : !NOT_RELEASED.includes(run.state)) throw new Refusal('rate_day_paid')
  await insertDeclared(tx, declared)
}

/** A rate as it is shown, so that "0.30" is "0.3"; nothing for what is none. */
const plainRate = (percentage: string | null) =>
  percentage !== null && /^\d{1,3}(\.\d{1,6})?$/.test(percentage)
    ? ratioToPercentText(percent(percentage), 6)
    : null

/**
 * Declares what passive profit pays on a day. Answers the percentage as it counts.
 *
 * @throws Refusal for a day more than a year ahead or before the first plan, above the plan's rate, or paid already; `rate_moved` where
 * another one is declared than was seen.
 */
export async function declare(
  tx: Tx,
  declared: {
    day: string
    percentage: string
    reason: string | null
    operatorId: bigint
    now: Date
    was?: string | null | undefined
  },
): Promise<string> {
  const { day, percentage, now, was } = declared
  if (!isDay(day) || !(await isPlanned(tx, day))) throw new Refusal('dates_invalid')
  const today = companyDayAt(now, await plansOf(tx))
  if (day > addDays(today, MOST_DAYS_AHEAD)) throw new Refusal('dates_invalid')
  if (was !== undefined) {
    await lockDay(tx, day)
    const stands = (await selectDeclared(tx, day))?.percentage ?? null
    if (plainRate(stands) !== plainRate(was)) throw new Refusal('rate_moved')
  }
  await declareRate(tx, { ...declared, day })
  return ratioToPercentText(percent(percentage), 6)
}
