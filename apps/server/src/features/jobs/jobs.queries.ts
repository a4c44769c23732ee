/** The queue of jobs as Prometheus sees it. */
import type { Db } from '@aval/db'
import { queryOne } from '../../core/query.sql.ts'

export interface JobFigures {
  /** Due, and begun by no worker. */
  readonly waiting: number
  /** Failed at least once, and tried again later. */
  readonly failing: number
  /** Failed until their tries were used up. The catch-ups do what their rows ask for; the job itself stays for people to see. */
  readonly givenUp: number
  /** Since when the one that waits longest is due; null where none waits. */
  readonly oldest: Date | null
}

/**
 * A job of the queue `payouts` waits while a run is under way, which may take an hour: it tells nothing about the worker.
 *
 * @param now system time
 */
export function countJobs(db: Db, now: Date): Promise<JobFigures> {
  return queryOne<JobFigures>(db)`
    WITH open AS (
      SELECT run_at, attempts, attempts >= max_attempts AS over, locked_at IS NULL AND run_at <= ${now} AS due
      FROM graphile_worker.jobs WHERE queue_name IS DISTINCT FROM 'payouts')
    SELECT count(*) FILTER (WHERE due AND NOT over)::int AS waiting, count(*) FILTER (WHERE attempts > 0 AND NOT over)::int AS failing,
      count(*) FILTER (WHERE over)::int AS "givenUp", min(run_at) FILTER (WHERE due AND NOT over) AS oldest
    FROM open`
}
