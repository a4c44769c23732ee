/** What a member earned by month. */
import type { Db } from '@aval/db'
import { type Micro, micro, type Ratio, ratio } from '@aval/money'
import { addDays, type Day, dayStart } from '@aval/plan'
import { EARNED, EARNED_AS, IS_EARNED } from '../../core/earned.sql.ts'
import { postingsOf } from '../../core/postings.sql.ts'
import { query } from '../../core/query.sql.ts'
import { planAt } from '../plan-versions/plan-versions.queries.ts'

export interface Month {
  readonly month: number
  /** The daily rates of the month, added up exactly. */
  readonly rate: Ratio
  readonly passive: Micro
  readonly direct: Micro
  readonly binary: Micro
}

const NOTHING: Ratio = ratio(0n, 1n)

function addText(sum: Ratio, stored: string): Ratio {
  const [numerator = '0', denominator = '1'] = stored.split('/')
  const divisor = BigInt(denominator)
  if (divisor === sum.denominator) return ratio(sum.numerator + BigInt(numerator), divisor)
  return ratio(sum.numerator * divisor + BigInt(numerator) * sum.denominator, sum.denominator * divisor)
}

/** What a member earned in each month of a year, in the plan's time zone; below zero where more was taken back than paid. */
export async function monthsOf(db: Db, memberId: bigint, year: number, now: Date): Promise<Month[]> {
  const { timeZone } = (await planAt(db, now)).plan
  const first = `${year}-01-01` as Day
  const after = addDays(`${year}-12-31` as Day, 1)
  const paid = await query<{ month: number; kind: string; amount: bigint }>(db)`
    SELECT extract(month FROM at AT TIME ZONE ${timeZone}::text)::int AS month, ${EARNED_AS} AS kind, sum(${EARNED})::bigint AS amount
    FROM ${postingsOf(memberId)} p WHERE at >= ${dayStart(first, timeZone)} AND at < ${dayStart(after, timeZone)}
      AND ${IS_EARNED} GROUP BY 1, 2`
  // The rates of the passive runs that paid the member, with the day of each.
  const rates = await query<{ period: string; rate: string }>(db)`
    SELECT r.period, r.rate FROM payout_run r JOIN ${postingsOf(memberId)} p ON p.journal_id = r.journal_id
    WHERE r.kind = 'passive' AND r.period >= ${first} AND r.period < ${after} ORDER BY r.period`
  const sum = (month: number, kind: string): Micro =>
    micro(paid.find((row) => row.month === month && row.kind === kind)?.amount ?? 0n)
  return Array.from({ length: 12 }, (_, index) => index + 1).map((month) => ({
    month,
    rate: rates
      .filter(({ period }) => period.slice(5, 7) === String(month).padStart(2, '0'))
      .reduce((total, { rate }) => addText(total, rate), NOTHING),
    passive: sum(month, 'passive'),
    direct: sum(month, 'direct'),
    binary: sum(month, 'binary'),
  }))
}
