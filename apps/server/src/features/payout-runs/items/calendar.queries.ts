/** A month of runs, day by day. */
import type { RunCalendar } from '@aval/contract'
import type { Db } from '@aval/db'
import { formatAmount } from '@aval/money'
import { addDays, companyDayAt, companyDayStart, type Day, type ZoneFrom } from '@aval/plan'
import { query } from '../../../core/query.sql.ts'
import { plansOf } from '../../plan-versions/plan-versions.queries.ts'
import type { RunState } from '../runs/runs.rules.ts'
import { selectDailyHistory } from '../runs/runs.sql.ts'

interface DayRun {
  readonly id: bigint
  readonly kind: 'passive' | 'binary'
  readonly period: string
  readonly state: RunState
  readonly item_sum: bigint
  readonly payable: bigint
}

/** Index: payout_run_one_a_period. */
const selectDays = (db: Db, from: Day, to: Day) =>
  query<DayRun>(db)`
    SELECT id, kind, period, state, item_sum, payable FROM payout_run
    WHERE kind IN ('passive', 'binary') AND state <> 'cancelled' AND period BETWEEN ${from} AND ${to}`

/** Direct runs of a day that are counted; a busy company has thousands. */
const MOST_A_DAY = 2_000

/** Of each day, up to so many. Index: payout_run_direct_by_time, which has all that is read. */
const selectDirect = (db: Db, days: readonly Day[], zones: readonly ZoneFrom[]) =>
  query<{ day: string; count: number; sum: bigint }>(db)`
    SELECT d.day, r.count::int AS count, r.sum::bigint AS sum
    FROM unnest(${days.map(String)}::text[], ${days.map((day) => companyDayStart(day, zones))}::timestamptz[],
        ${days.map((day) => companyDayStart(addDays(day, 1), zones))}::timestamptz[]) AS d (day, begins, ends)
      CROSS JOIN LATERAL (SELECT count(*), coalesce(sum(item_sum), 0) AS sum FROM (SELECT item_sum FROM payout_run
        WHERE kind = 'direct' AND state <> 'cancelled' AND at >= d.begins AND at < d.ends ORDER BY at LIMIT ${MOST_A_DAY + 1}) counted) r`

/** Held ones, of which there are few. Index: payout_run_unfinished. */
const selectHeld = (db: Db, from: Date, until: Date) =>
  query<{ at: Date }>(db)`
    SELECT at FROM payout_run WHERE state NOT IN ('done', 'cancelled') AND state = 'held' AND kind = 'direct' AND at >= ${from} AND at < ${until}`

/** Days of a month, "2026-05". */
function daysOf(month: string): Day[] {
  const first = `${month}-01` as Day
  const days: Day[] = []
  for (let day = first; day.startsWith(month); day = addDays(day, 1)) days.push(day)
  return days
}

/** Which runs should be there: those of midnights since the first investment. One that was due a moment ago has a day's time. */
function missingOn(day: Day, first: Day | null, today: Day, has: ReadonlySet<string>) {
  if (first === null) return []
  const due = { passive: day > first && day < today, binary: day >= first && addDays(day, 1) < today }
  return (['passive', 'binary'] as const).filter((kind) => due[kind] && !has.has(kind))
}

const presentRun = (run: DayRun | undefined) =>
  run === undefined
    ? null
    : {
        id: Number(run.id),
        state: run.state,
        total: formatAmount(run.item_sum),
        payable: formatAmount(run.payable),
      }

/** @param month the present one where none is asked for */
export async function calendarOf(db: Db, month: string | undefined, now: Date): Promise<RunCalendar> {
  const zones = await plansOf(db)
  const today = companyDayAt(now, zones)
  const wanted = month ?? today.slice(0, 7)
  const days = daysOf(wanted)
  const [from, to] = [days[0] ?? today, days.at(-1) ?? today]
  const runs = await selectDays(db, from, to)
  const direct = await selectDirect(db, days, zones)
  const held = await selectHeld(db, companyDayStart(from, zones), companyDayStart(addDays(to, 1), zones))
  const heldOn = Map.groupBy(held, ({ at }) => companyDayAt(at, zones))
  const { firstInvestment } = await selectDailyHistory(db)
  const first = firstInvestment === null ? null : companyDayAt(firstInvestment, zones)
  return {
    month: wanted,
    today,
    days: days.map((day) => {
      const ofDay = runs.filter(({ period }) => period === day)
      const made = direct.find((each) => each.day === day)
      return {
        day,
        passive: presentRun(ofDay.find(({ kind }) => kind === 'passive')),
        binary: presentRun(ofDay.find(({ kind }) => kind === 'binary')),
        direct: {
          count: Math.min(made?.count ?? 0, MOST_A_DAY),
          more: (made?.count ?? 0) > MOST_A_DAY,
          total: formatAmount(made?.sum ?? 0n),
          held: heldOn.get(day)?.length ?? 0,
        },
        missing: missingOn(day, first, today, new Set(ofDay.map(({ kind }) => kind))),
      }
    }),
  }
}
