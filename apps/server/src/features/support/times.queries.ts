/** How long members waited for a first answer, from what was written down with each answer. */

import type { Locale } from '@aval/contract'
import type { Db } from '@aval/db'
import { asRead } from '../../core/names.sql.ts'
import { query } from '../../core/query.sql.ts'

/** Of a month with more answers than these, the newest count: their order cannot be kept, and to put 20,000 in order took 50 ms. */
export const MOST_ANSWERS = 5_000

export interface TimesRow {
  /** Null for all of them together. */
  readonly operator: string | null
  readonly week: number
  readonly week_median: number | null
  readonly week_p90: number | null
  readonly month: number
  readonly month_median: number | null
  readonly month_p90: number | null
}

/** The row of all comes first, then operators by name. @param now system time */
export function selectTimes(db: Db, now: Date, locale: Locale): Promise<TimesRow[]> {
  return query<TimesRow>(db)`
    WITH answers AS MATERIALIZED (
      SELECT operator_id, waited_seconds AS waited, at > ${now}::timestamptz - interval '7 days' AS of_week FROM support_message
      WHERE waited_seconds IS NOT NULL AND at > ${now}::timestamptz - interval '30 days' ORDER BY at DESC LIMIT ${MOST_ANSWERS}),
    sums AS (
      SELECT operator_id, grouping(operator_id) = 1 AS of_all,
        count(*) FILTER (WHERE of_week)::int AS week,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY waited) FILTER (WHERE of_week) AS week_median,
        percentile_disc(0.9) WITHIN GROUP (ORDER BY waited) FILTER (WHERE of_week) AS week_p90,
        count(*)::int AS month,
        percentile_disc(0.5) WITHIN GROUP (ORDER BY waited) AS month_median,
        percentile_disc(0.9) WITHIN GROUP (ORDER BY waited) AS month_p90
      FROM answers GROUP BY GROUPING SETS ((), (operator_id)))
    SELECT o.username AS operator, s.week, s.week_median, s.week_p90, s.month, s.month_median, s.month_p90
    FROM sums s LEFT JOIN member o ON o.id = s.operator_id WHERE s.of_all OR o.id IS NOT NULL ORDER BY s.of_all DESC, o.username ${asRead(locale)}`
}
