/** Payout runs as operators see them. */
import type { OpenDecision } from '@aval/contract'
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { countOf, countUpTo, query, queryFirst } from '../../core/query.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import type { StoredChecks, StoredProgress } from './payout-runs.rules.ts'
import type { Run } from './runs/runs.sql.ts'

export interface StoredRun
  extends StoredChecks,
    StoredProgress,
    Pick<
      Run,
      'id' | 'kind' | 'period' | 'payable' | 'not_paid' | 'plan_version' | 'rate' | 'at' | 'finished_at'
    >,
    Pick<Run, 'input_hash' | 'items_hash'> {
  readonly state: Run['state']
  readonly investor: string | null
  readonly decided_by: string | null
  readonly decision: OpenDecision | null
}

/** Of a passive run, members are counted by whole blocks of 1,024 ids; the last block is seldom full. */
const READ = sql.raw(`
  SELECT r.id, r.kind, r.period, r.state, r.item_count, r.item_sum, r.posted_count, r.payable, r.missing, r.not_paid,
    r.plan_version, r.rate, r.input_hash, r.items_hash, r.objections, r.member_count, r.at, r.finished_at,
    CASE WHEN r.kind = 'passive' THEN least(r.computed_through * 1024, r.member_count)::int ELSE r.computed_count END AS computed_count,
    (SELECT jsonb_build_object('verdict', a.verdict, 'at', to_char(a.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'version', a.version,
       'reason', a.reason, 'differences', a.differences) FROM payout_audit a WHERE a.run_id = r.id) AS audit,
    r.overruled_by IS NOT NULL AS overruled, o.username AS decided_by, m.username AS investor,
    (SELECT jsonb_build_object('id', d.id, 'kind', d.kind, 'proposed_by', coalesce(p.username, ''),
       'proposed_at', to_char(d.proposed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
     FROM decision d LEFT JOIN member p ON p.id = d.proposed_by WHERE d.subject = 'run:' || r.id AND d.state = 'open') AS decision,
    extract(epoch FROM clock_timestamp() - r.stage_since)::float8 AS seconds`)
const WITH_NAMES = sql.raw(`
  LEFT JOIN investment i ON r.first_investment = r.last_investment AND i.id = r.first_investment
  LEFT JOIN member m ON m.id = i.member_id
  LEFT JOIN member o ON o.id = r.overruled_by`)

const wantedRuns = (openOnly: boolean) => (openOnly ? sql`state NOT IN ('done', 'cancelled')` : sql`true`)

/** Each finds the newest of its runs by an index: `payout_run_one_a_period` twice, `payout_run_direct_by_time`, `payout_run_cancelled`. */
const EACH_NEWEST = [
  sql.raw(`state <> 'cancelled' AND kind = 'passive' ORDER BY period DESC`),
  sql.raw(`state <> 'cancelled' AND kind = 'binary' ORDER BY period DESC`),
  sql.raw(`state <> 'cancelled' AND kind = 'direct' ORDER BY at DESC, id DESC`),
]

/**
 * By the day that a run pays, newest first, which is not the order in which they are made; a direct run by the day on which it was made. Of
 * those that are neither done nor cancelled when only open ones are asked for.
 * @param timeZone of the reader, in which that day is one
 */
export async function listRuns(
  db: Db,
  openOnly: boolean,
  { limit, offset, timeZone }: { limit: number; offset: number; timeZone: string },
) {
  const wanted = wantedRuns(openOnly)
  const newest = sql`CASE WHEN kind = 'direct' THEN to_char(at AT TIME ZONE ${timeZone}, 'YYYY-MM-DD') ELSE period END DESC, at DESC, id DESC`
  const each = EACH_NEWEST.map((own) => sql`(SELECT * FROM payout_run WHERE ${own} LIMIT ${limit + offset})`)
  const cancelled = sql`(SELECT * FROM payout_run WHERE state = 'cancelled')`
  const found = openOnly
    ? sql`SELECT * FROM payout_run WHERE ${wanted}`
    : sql.join([...each, cancelled], sql` UNION ALL `)
  const rows = await query<StoredRun>(db)`${READ}
    FROM (SELECT f.*, row_number() OVER (ORDER BY ${newest}) AS place FROM (${found}) f ORDER BY place LIMIT ${limit} OFFSET ${offset}) r
      ${WITH_NAMES} ORDER BY r.place`
  return { rows, count: await countOf(db)`payout_run WHERE ${wanted}` }
}

/** The newest made first, from one run on, for who reads all of it. @param after null for the first */
export function runsAfter(db: Db, openOnly: boolean, after: StoredRun | null, limit: number) {
  const later = after === null ? sql`true` : sql`id < ${after.id}`
  return query<StoredRun>(db)`${READ}
    FROM (SELECT * FROM payout_run WHERE ${wantedRuns(openOnly)} AND ${later} ORDER BY id DESC LIMIT ${limit}) r ${WITH_NAMES}
    ORDER BY r.id DESC`
}

export const countRuns = (db: Db, openOnly: boolean, most: number) =>
  countUpTo(db, most)`payout_run WHERE ${wantedRuns(openOnly)}`

/** @param id null for what no run's number can be. @throws Refusal when there is no such run. */
export async function readRun(db: Db, id: bigint | null): Promise<StoredRun> {
  const run = await queryFirst<StoredRun>(db)`${READ} FROM payout_run r ${WITH_NAMES} WHERE r.id = ${id}`
  if (run === undefined) throw new Refusal('run_not_found')
  return run
}
