/** How the company stands: from sums that jobs keep, the last comparison of the reserves, and the few accounts of the company. */
import type { Db } from '@aval/db'
import { addDays, type Day } from '@aval/plan'
import { daysSince, growthSince, summariesAsOf, unlocks } from '../company-days/company-days.queries.ts'
import { readReserves } from '../reserves/reserves.queries.ts'
import { houseAmounts, poolsCovered } from './cover.queries.ts'

/** Days of the charts. */
export const SHOWN_DAYS = 90

export async function readToday(db: Db, today: Day) {
  const from = addDays(today, 1 - SHOWN_DAYS)
  const [asOf, { check }, house, pools, unlocking, days, growth] = await Promise.all([
    summariesAsOf(db),
    readReserves(db),
    houseAmounts(db),
    poolsCovered(db, today),
    unlocks(db),
    daysSince(db, from),
    growthSince(db, from),
  ])
  return { today, asOf, check, capital: house.get('company:capital') ?? 0n, pools, unlocking, days, growth }
}
export type Today = Awaited<ReturnType<typeof readToday>>
