/**
 * Sessions of our programs that stall the others. Timeouts of a role bind only a program that wants to be bound: who has taken one
 * over can switch them off, take a lock and keep it. The owner of the database sees and ends such sessions.
 */
import type pg from 'pg'
import { loginOf, PROCESSES } from './prepare.ts'

export interface Stalling {
  readonly pid: number
  readonly login: string
  /** It keeps others waiting, or its transaction stays open and does nothing. */
  readonly why: 'blocks' | 'idle'
}

/** In seconds. No statement of ours takes longer than a minute, and no transaction of ours that locks takes as long as this. */
export interface Patience {
  /** How long somebody has waited for it. */
  readonly waited: number
  /** How long its transaction is open, where it still works. */
  readonly working: number
  /** How long its transaction is open and does nothing. */
  readonly idle: number
}
export const PATIENCE: Patience = { waited: 10, working: 180, idle: 300 }

/**
 * Ends them; what they had not committed is undone. A session that waits itself is left to the one it waits for.
 *
 * @param owner connected to the database
 */
export async function endStalling(owner: pg.Client, patience = PATIENCE): Promise<Stalling[]> {
  const logins = PROCESSES.map((process) => loginOf(owner.database ?? '', process))
  const { rows } = await owner.query<Stalling>(
    `WITH session AS (
       SELECT pid, usename::text AS login, state, wait_event_type = 'Lock' AS waits,
         clock_timestamp() - xact_start AS open, clock_timestamp() - state_change AS since
       FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
     ), blocker AS (
       SELECT DISTINCT unnest(pg_blocking_pids(pid)) AS pid FROM session WHERE waits AND since >= make_interval(secs => $2)
     ), stalling AS MATERIALIZED ( -- otherwise each session would be ended before it is looked at
       SELECT s.pid, s.login, CASE WHEN b.pid IS NULL THEN 'idle' ELSE 'blocks' END AS why
       FROM session s LEFT JOIN blocker b USING (pid)
       WHERE s.login = ANY ($1) AND s.waits IS NOT TRUE AND CASE
         WHEN s.state = 'active' THEN b.pid IS NOT NULL AND s.open >= make_interval(secs => $3)
         ELSE b.pid IS NOT NULL AND s.since >= make_interval(secs => $2)
           OR s.state LIKE 'idle in transaction%' AND s.since >= make_interval(secs => $4) END
     )
     SELECT pid, login, why FROM stalling WHERE pg_terminate_backend(pid) ORDER BY pid`,
    [logins, patience.waited, patience.working, patience.idle],
  )
  return rows
}
