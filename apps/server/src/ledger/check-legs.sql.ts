/** What the check of the binary tree reads: whole columns as packed bytes, big-endian as PostgreSQL sends them. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { eachPacked } from '../core/network.sql.ts'

export interface Matched {
  /** The instant at which the first matched day began, and at which the last one ended. */
  readonly from: Date
  readonly until: Date
  /**
   * What a member may at most have lost to matches that came to less than a micro-USDT and so are no item; null where a
   * plan paid nothing at all for a match.
   */
  readonly dust: bigint | null
}

const LIVE = sql.raw(`kind = 'binary' AND state NOT IN ('computing', 'cancelled')`)

/** The span of days that were matched; null before there is one. */
export async function selectMatched(db: Db): Promise<Matched | null> {
  const { rows } = await sql<{ from: Date | null; until: Date; dust: bigint | null }>`
    SELECT min(r.period::timestamp AT TIME ZONE (v.document->>'timeZone')) AS "from", max(r.cutoff_at) AS until,
      CASE WHEN bool_and(plan.percent > 0) THEN sum(ceil(100 / nullif(plan.percent, 0)) - 1)::bigint END AS dust
    FROM payout_run r JOIN plan_version v ON v.version = r.plan_version,
      LATERAL (SELECT coalesce(v.document->'binary'->>'percent', '10')::numeric AS percent) plan
    WHERE ${LIVE}`.execute(db)
  const [row] = rows
  return row === undefined || row.from === null ? null : { ...row, from: row.from }
}

/** One more than the highest id that stands in the tree. */
export async function selectTreeSize(db: Db): Promise<number> {
  const { rows } = await sql<{
    size: number
  }>`SELECT coalesce(max(member_id) + 1, 0)::int AS size FROM placement`.execute(db)
  return rows[0]?.size ?? 0
}

/** What members invested less what was taken back over the span, and how often they invested. */
export function eachMovement(
  db: Db,
  size: number,
  { from, until }: Matched,
  take: (id: number, points: bigint, investments: number) => void,
) {
  return eachPacked(
    db,
    size,
    16,
    (after, to) => sql`
      SELECT string_agg(int4send(member_id::int) || int8send(points) || int4send(made), ''::bytea) AS packed FROM (
        SELECT member_id, sum(amount)::bigint AS points, sum(made)::int AS made FROM (
          SELECT member_id, amount, 1 AS made FROM investment WHERE credited_at >= ${from} AND credited_at < ${until}
            AND member_id > ${after} AND member_id <= ${to}
          UNION ALL SELECT member_id, -amount, 0 FROM reversal WHERE at >= ${from} AND at < ${until}
            AND member_id > ${after} AND member_id <= ${to}) moved GROUP BY member_id) sums`,
    (row, at) => take(row.getInt32(at), row.getBigInt64(at + 4), row.getInt32(at + 12)),
  )
}

/** Points of each member that were matched and paid for, in all. */
export function eachMatched(db: Db, size: number, take: (id: number, points: bigint) => void) {
  return eachPacked(
    db,
    size,
    12,
    (
      after,
      to,
    ) => sql`SELECT string_agg(int4send(member_id::int) || int8send(points), ''::bytea) AS packed FROM (
        SELECT member_id, sum(basis)::bigint AS points FROM payout_item WHERE kind = 'binary' AND member_id > ${after} AND member_id <= ${to}
          AND run_id IN (SELECT id FROM payout_run WHERE ${LIVE}) GROUP BY member_id) sums`,
    (row, at) => take(row.getInt32(at), row.getBigInt64(at + 4)),
  )
}

/** What each member carries out of the last day: block by block what the latest run that changed it wrote. */
export function eachCarried(
  db: Db,
  size: number,
  take: (id: number, left: bigint, right: bigint, investments: number) => void,
) {
  return eachPacked(
    db,
    size,
    24,
    (
      after,
      to,
    ) => sql`SELECT string_agg(int4send((c.block * 1024 + e.place - 1)::int) || int8send(e.l) || int8send(e.r) || int4send(e.n),
        ''::bytea) AS packed
      FROM (SELECT DISTINCT ON (block) block, lefts, rights, events FROM binary_carry
          WHERE run_id IN (SELECT id FROM payout_run WHERE ${LIVE}) AND block * 1024 > ${after} AND block * 1024 <= ${to}
          ORDER BY block, period DESC) c,
        unnest(c.lefts, c.rights, c.events) WITH ORDINALITY AS e (l, r, n, place)
      WHERE e.l <> 0 OR e.r <> 0 OR e.n <> 0`,
    (row, at) =>
      take(row.getInt32(at), row.getBigInt64(at + 4), row.getBigInt64(at + 12), row.getInt32(at + 20)),
  )
}
