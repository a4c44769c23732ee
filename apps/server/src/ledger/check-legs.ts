/**
 * The check of the binary tree, from the beginning. Whole columns are read as packed bytes, big-endian as PostgreSQL sends
 * them.
 */
import type { Db } from '@aval/db'
import { countBelow, sumLegs } from '@aval/genealogy'
import { formatMicro, micro } from '@aval/money'
import { dayStart, isDay } from '@aval/plan'
import { sql } from 'kysely'
import { eachPacked, readPlacements } from '../core/network.sql.ts'
import { query, queryValue } from '../core/query.sql.ts'
import { dayOf } from './check.sql.ts'

interface Matched {
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

/** The span of days that were matched, from where the first match counted; null before there is one. */
async function selectMatched(db: Db): Promise<Matched | null> {
  const [row] = await query<{ first: string; zone: string; until: Date; dust: bigint | null }>(db)`
    SELECT r.period AS first, v.document->>'timeZone' AS zone, max(r.cutoff_at) OVER () AS until,
      CASE WHEN bool_and(plan.percent > 0) OVER () THEN (sum(ceil(100 / nullif(plan.percent, 0)) - 1) OVER ())::bigint END AS dust
    FROM public.payout_run r JOIN plan_version v ON v.version = r.plan_version,
      LATERAL (SELECT coalesce(v.document->'binary'->>'percent', '10')::numeric AS percent) plan
    WHERE ${LIVE} AND ${dayOf('r')} IS NOT NULL ORDER BY r.period LIMIT 1`
  return row === undefined || !isDay(row.first) ? null : { ...row, from: dayStart(row.first, row.zone) }
}

/** One more than the highest id that stands in the tree. */
async function selectTreeSize(db: Db): Promise<number> {
  return queryValue<number>(db)`
    SELECT coalesce(max(member_id) + 1, 0)::int AS size FROM placement`
}

/** What members invested less what was taken back over the span, and how often they invested. */
function eachMovement(
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
function eachMatched(db: Db, size: number, take: (id: number, points: bigint) => void) {
  return eachPacked(
    db,
    size,
    12,
    (
      after,
      to,
    ) => sql`SELECT string_agg(int4send(member_id::int) || int8send(points), ''::bytea) AS packed FROM (
        SELECT member_id, sum(points)::bigint AS points FROM (
          SELECT member_id, basis AS points FROM payout_item WHERE kind = 'binary' AND member_id > ${after} AND member_id <= ${to}
            AND run_id IN (SELECT id FROM payout_run WHERE ${LIVE})
          UNION ALL SELECT member_id, points FROM earned_before WHERE member_id > ${after} AND member_id <= ${to}) matched
        GROUP BY member_id) sums`,
    (row, at) => take(row.getInt32(at), row.getBigInt64(at + 4)),
  )
}

/** What each member carries out of the last day: block by block what the latest run that changed it wrote. */
function eachCarried(
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
          WHERE run_id IN (SELECT id FROM public.payout_run WHERE ${LIVE}) AND block * 1024 > ${after} AND block * 1024 <= ${to}
          ORDER BY block, period DESC) c,
        unnest(c.lefts, c.rights, c.events) WITH ORDINALITY AS e (l, r, n, place)
      WHERE e.l <> 0 OR e.r <> 0 OR e.n <> 0`,
    (row, at) =>
      take(row.getInt32(at), row.getBigInt64(at + 4), row.getBigInt64(at + 12), row.getInt32(at + 20)),
  )
}

const MOST_NAMED = 20

/** What history gave each member on each side, and how many investments that were; or why that is unknown. */
async function givenTo(db: Db, size: number, matched: Matched) {
  const tree = await readPlacements(db, size)
  const own = new BigInt64Array(size)
  const made = new Int32Array(size)
  await eachMovement(db, size, matched, (id, points, investments) => {
    if (id >= size) return
    own[id] = points
    made[id] = investments
  })
  try {
    const { left, right } = sumLegs(tree, own, new Uint8Array(size).fill(1))
    return { left, right, investments: countBelow(tree.parent, made) }
  } catch (error) {
    return `the binary tree cannot be added up: ${error instanceof Error ? error.message : error}`
  }
}

function sentenceOf(id: number, side: string, given: bigint, matched: bigint, carried: bigint): string {
  const [came, gone, kept] = [given, matched, carried].map((points) => formatMicro(micro(points)))
  return `member ${id}: ${came} points came in on the ${side}, ${gone} were matched and ${kept} are carried`
}

/**
 * The binary tree, from the beginning: for every member and side, the points given there up to the last matched day equal
 * those matched plus those still carried.
 */
export async function findLegFaults(db: Db): Promise<string[]> {
  const matched = await selectMatched(db)
  if (matched === null) return []
  const size = await selectTreeSize(db)
  const given = await givenTo(db, size, matched)
  if (typeof given === 'string') return [given]
  const paid = new BigInt64Array(size)
  await eachMatched(db, size, (id, points) => {
    if (id < size) paid[id] = points
  })
  const carried = {
    left: new BigInt64Array(size),
    right: new BigInt64Array(size),
    events: new Int32Array(size),
  }
  const found: string[] = []
  let faults = 0
  const report = (sentence: string) => {
    faults += 1
    if (faults <= MOST_NAMED) found.push(sentence)
  }
  await eachCarried(db, size, (id, left, right, investments) => {
    if (id >= size) return report(`points are carried for ${id}, which is no member`)
    carried.left[id] = left
    carried.right[id] = right
    carried.events[id] = investments
  })
  for (let id = 1; id < size; id += 1) {
    const points = paid[id] ?? 0n
    const [left, right] = [given.left[id] ?? 0n, given.right[id] ?? 0n]
    const [keptLeft, keptRight] = [carried.left[id] ?? 0n, carried.right[id] ?? 0n]
    // A match takes as much from both sides.
    const lost = { left: left - points - keptLeft, right: right - points - keptRight }
    const isDust = lost.left >= 0n && (matched.dust === null || lost.left <= matched.dust)
    if (lost.left !== lost.right || !isDust) {
      if (lost.left !== 0n) report(sentenceOf(id, 'left', left, points, keptLeft))
      if (lost.right !== 0n) report(sentenceOf(id, 'right', right, points, keptRight))
    }
    if (given.investments[id] !== carried.events[id])
      report(
        `member ${id}: ${given.investments[id]} investments gave points, ${carried.events[id]} are counted`,
      )
  }
  if (faults > MOST_NAMED) found.push(`and ${faults - MOST_NAMED} more of points and legs`)
  return found
}
