/** The trail as operators read it: newest first, each piece through an index. */
import type { AUDIT_OUTCOMES } from '@aval/contract'
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { countUpTo, query, queryColumn } from '../../core/query.sql.ts'

export interface Wanted {
  /** A member's number; `null` for what nobody signed in did; undefined: anybody. */
  readonly actorId?: bigint | null
  /** One action, or all of a noun; undefined: every one. */
  readonly actions?: readonly string[]
  readonly subject?: string
  readonly outcome?: (typeof AUDIT_OUTCOMES)[number]
  /** Days of the calendar, the last one included. */
  readonly from?: string
  readonly to?: string
  /** In which those are read. */
  readonly zone: string
  /** The entry after which the piece begins: older ones follow. Microseconds, since entries of one millisecond differ. */
  readonly before?: { readonly micros: bigint; readonly id: bigint }
}

export interface TrailEntry {
  readonly id: bigint
  readonly at: Date
  /** Since 1970, in microseconds. */
  readonly micros: bigint
  readonly actor_id: bigint | null
  readonly actor: string | null
  readonly action: string
  readonly outcome: (typeof AUDIT_OUTCOMES)[number]
  readonly subject: string
  /** Of a subject that is a member. */
  readonly about: string | null
  readonly details: Readonly<Record<string, unknown>>
  readonly erased: boolean
  readonly signed_in_at: Date | null
  readonly signed_in: Readonly<Record<string, unknown>> | null
}

function conditions(wanted: Wanted): RawBuilder<unknown> {
  const { actorId, subject, outcome, from, to, zone, before } = wanted
  const all = [sql`true`]
  if (actorId !== undefined) all.push(actorId === null ? sql`actor_id IS NULL` : sql`actor_id = ${actorId}`)
  if (subject !== undefined) all.push(sql`subject = ${subject}`)
  if (outcome !== undefined) all.push(sql`outcome = ${sql.lit(outcome)}`)
  if (from !== undefined) all.push(sql`at >= ${from}::timestamp AT TIME ZONE ${zone}`)
  if (to !== undefined) all.push(sql`at < (${to}::date + 1)::timestamp AT TIME ZONE ${zone}`)
  if (before !== undefined)
    all.push(
      sql`(at, id) < ('epoch'::timestamptz + ${before.micros}::bigint * interval '1 microsecond', ${before.id}::bigint)`,
    )
  return sql.join(all, sql` AND `)
}

/** Numbers and instants of the newest entries: of several actions, the newest of each through its index, and then the newest of those. */
function newest(wanted: Wanted, limit: number): RawBuilder<unknown> {
  const { actions } = wanted
  const where = conditions(wanted)
  // Of one action the planner knows how many there are, and begins with whatever is rarer.
  if (actions === undefined || actions.length === 1) {
    const named = actions === undefined ? sql`true` : sql`action = ${actions[0]}`
    return sql`SELECT id, at FROM audit_event WHERE ${named} AND ${where} ORDER BY at DESC, id DESC LIMIT ${limit}`
  }
  return sql`SELECT e.id, e.at FROM unnest(${[...actions]}::text[]) AS named (action) CROSS JOIN LATERAL (
      SELECT id, at FROM audit_event WHERE audit_event.action = named.action AND ${where} ORDER BY at DESC, id DESC LIMIT ${limit}) e
    ORDER BY e.at DESC, e.id DESC LIMIT ${limit}`
}

/** @param limit entries at most */
export function selectTrail(db: Db, wanted: Wanted, limit: number): Promise<TrailEntry[]> {
  return query<TrailEntry>(db)`
    SELECT e.id, e.at, (extract(epoch FROM e.at) * 1000000)::bigint AS micros, e.actor_id, a.username AS actor, e.action, e.outcome, e.subject,
      s.username AS about, e.details, e.erased_at IS NOT NULL AS erased, b.at AS signed_in_at, b.details AS signed_in
    FROM (${newest(wanted, limit)}) n JOIN audit_event e ON e.id = n.id
    LEFT JOIN member a ON a.id = e.actor_id
    LEFT JOIN member s ON s.id = CASE WHEN e.subject ~ '^member:[1-9][0-9]{0,17}$' THEN substr(e.subject, 8)::bigint END
    LEFT JOIN LATERAL (SELECT at, details FROM audit_event WHERE subject = 'member:' || e.actor_id AND action = 'session.begin'
      AND outcome = 'done' AND at <= e.at ORDER BY at DESC, id DESC LIMIT 1) b ON e.actor_id IS NOT NULL
    ORDER BY e.at DESC, e.id DESC`
}

/** How many there are. @param most counted no further */
export function countTrail(db: Db, wanted: Wanted, most: number): Promise<number> {
  const { actions } = wanted
  const named = actions === undefined ? sql`true` : sql`action = ANY(${[...actions]}::text[])`
  return countUpTo(db, most)`audit_event WHERE ${named} AND ${conditions(wanted)}`
}

/** Every action that the trail has: from one to the next through the index, however many entries there are. */
export function selectActions(db: Db): Promise<string[]> {
  return queryColumn<string>(db)`
    WITH RECURSIVE known (action) AS (
      (SELECT action FROM audit_event ORDER BY action LIMIT 1)
      UNION ALL SELECT (SELECT e.action FROM audit_event e WHERE e.action > known.action ORDER BY e.action LIMIT 1) FROM known WHERE known.action IS NOT NULL)
    SELECT action FROM known WHERE action IS NOT NULL LIMIT 500`
}
