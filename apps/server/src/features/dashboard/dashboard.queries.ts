import type { Db } from '@aval/db'
import { addDays, dayAt, dayStart, type Plan } from '@aval/plan'
import { countTeam } from '../genealogy/downline.queries.ts'
import { unfinishedSince } from '../investments/investments.rules.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'
import { selectDays, selectFigures, selectRecent } from './dashboard.sql.ts'

export const CHART_DAYS = 15
/** An event has at most two postings, so that this many have the latest six whole. */
const RECENT_POSTINGS = 12

const chartStart = (now: Date, { timeZone }: Plan) =>
  dayStart(addDays(dayAt(now, timeZone), 1 - CHART_DAYS), timeZone)

/** Everything the dashboard shows of a member. @param now business time */
export async function readDashboard(db: Db, memberId: bigint, now: Date) {
  const planned = planAt(db, now)
  const [{ plan }, days, figures, recent, team] = await Promise.all([
    planned,
    planned.then(({ plan }) => selectDays(db, memberId, chartStart(now, plan), plan.timeZone)),
    selectFigures(db, memberId, unfinishedSince(now)),
    selectRecent(db, memberId, RECENT_POSTINGS),
    countTeam(db, memberId),
  ])
  return { plan, days, figures, recent, team }
}

export type DashboardFacts = Awaited<ReturnType<typeof readDashboard>>
