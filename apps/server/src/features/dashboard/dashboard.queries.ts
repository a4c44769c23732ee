import type { Db } from '@aval/db'
import { addDays, dayAt, dayStart, type Plan } from '@aval/plan'
import { countTeam } from '../genealogy/downline.queries.ts'
import { partsOf } from '../investments/investments.queries.ts'
import { unfinishedSince } from '../investments/investments.rules.ts'
import { nextTerms } from '../payout-runs/rates/rates.queries.ts'
import { inForce, plansOf } from '../plan-versions/plan-versions.queries.ts'
import { selectDays, selectFigures, selectRecent } from './dashboard.sql.ts'

export const CHART_DAYS = 15
/** An event has at most two postings, so that this many have the latest six whole. */
const RECENT_POSTINGS = 12

const chartStart = (now: Date, { timeZone }: Plan) =>
  dayStart(addDays(dayAt(now, timeZone), 1 - CHART_DAYS), timeZone)

/** Everything the dashboard shows of a member. @param now business time */
export async function readDashboard(db: Db, memberId: bigint, now: Date) {
  const plans = plansOf(db)
  const planned = plans.then((all) => inForce(all, now).plan)
  const [plan, next, days, figures, parts, recent, team] = await Promise.all([
    planned,
    plans.then((all) => nextTerms(db, all, now)),
    planned.then((plan) => selectDays(db, memberId, chartStart(now, plan), plan.timeZone)),
    selectFigures(db, memberId, unfinishedSince(now)),
    partsOf(db, memberId),
    selectRecent(db, memberId, RECENT_POSTINGS),
    countTeam(db, memberId),
  ])
  return { plan, next, days, figures, parts, recent, team }
}

export type DashboardFacts = Awaited<ReturnType<typeof readDashboard>>
