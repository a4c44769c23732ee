/**
 * Points of the binary tree: what a member's legs stand at, and the investments below that gave them; quick for a team of
 * three and of a million.
 */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { countOf, query, queryColumn, queryOne } from '../../core/query.sql.ts'
import { balancesOf } from '../../ledger/ledger.queries.ts'

interface LegTotals {
  readonly as_of: string | null
  readonly left: bigint
  readonly right: bigint
  /** Investments below, as of the day that was matched last. */
  readonly events: number
  readonly until: Date | null
  readonly active_left: boolean
  readonly active_right: boolean
}

/** The legs as of the last matched day, and whether each has an active referral now. */
export async function selectLegTotals(db: Db, memberId: bigint): Promise<LegTotals> {
  return queryOne<LegTotals>(db)`
    SELECT last.period AS as_of, last.cutoff_at AS until, coalesce(c.lefts[place.i], 0) AS left, coalesce(c.rights[place.i], 0) AS right,
      coalesce(c.events[place.i], 0) AS events, side.l AS active_left, side.r AS active_right
    FROM (SELECT ${memberId}::bigint % 1024 + 1 AS i) place
      LEFT JOIN LATERAL (SELECT period, cutoff_at FROM payout_run WHERE kind = 'binary' AND state NOT IN ('computing', 'cancelled')
        ORDER BY period DESC LIMIT 1) last ON true
      LEFT JOIN LATERAL (SELECT c.lefts, c.rights, c.events FROM binary_carry c JOIN payout_run r ON r.id = c.run_id
          AND r.state NOT IN ('computing', 'cancelled')
        WHERE c.block = ${memberId}::bigint / 1024 ORDER BY c.period DESC LIMIT 1) c ON true
      CROSS JOIN LATERAL (SELECT
        EXISTS (SELECT FROM sponsorship s JOIN placement p ON p.member_id = s.member_id AND p.leg = 'L'
          JOIN member_balance b ON b.member_id = s.member_id AND b.principal > 0 WHERE s.sponsor_id = ${memberId}) AS l,
        EXISTS (SELECT FROM sponsorship s JOIN placement p ON p.member_id = s.member_id AND p.leg = 'R'
          JOIN member_balance b ON b.member_id = s.member_id AND b.principal > 0 WHERE s.sponsor_id = ${memberId}) AS r) side`
}

/** Placement descendants, at most `limit`: enough to know whether there are few. */
async function selectBelow(db: Db, memberId: bigint, limit: number): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    WITH RECURSIVE below (member_id) AS (
      SELECT member_id FROM placement WHERE parent_id = ${memberId}
      UNION ALL
      SELECT p.member_id FROM below b JOIN placement p ON p.parent_id = b.member_id
    )
    SELECT member_id FROM below LIMIT ${limit}`
}

interface Invested {
  readonly id: bigint
  readonly memberId: bigint
  readonly creditedAt: Date
}

/** Newest first, those after `before` in that order; of the given members, or of everybody. */
async function selectInvestmentIds(
  db: Db,
  of: readonly bigint[] | null,
  before: Invested | null,
  limit: number,
  offset: number,
): Promise<Invested[]> {
  return query<Invested>(db)`
    SELECT id, member_id AS "memberId", credited_at AS "creditedAt" FROM investment
    WHERE ${of === null ? sql`true` : sql`member_id = ANY(${of.map(String)}::bigint[])`}
      AND ${before === null ? sql`true` : sql`(credited_at, id) < (${before.creditedAt}, ${before.id})`}
    ORDER BY credited_at DESC, id DESC LIMIT ${limit} OFFSET ${offset}`
}

async function countInvestments(db: Db, of: readonly bigint[]): Promise<number> {
  return countOf(db)`investment WHERE member_id = ANY(${of.map(String)}::bigint[])`
}

/**
 * Which of these members stand below `memberId`, and on which leg. A place is climbed a whole chain at a time (a chain is a
 * longest run of children on one side), so a member thousands of levels down takes a handful of steps.
 */
async function selectLegs(db: Db, memberId: bigint, of: readonly bigint[]): Promise<Map<bigint, 'L' | 'R'>> {
  const rows = await query<{ origin: bigint; leg: 'L' | 'R' }>(db)`
    WITH RECURSIVE top AS (SELECT left_chain, right_chain FROM placement WHERE member_id = ${memberId}),
    climb (origin, at, leg, chain) AS (
      SELECT p.member_id, p.member_id, p.leg, CASE p.leg WHEN 'L' THEN p.left_chain ELSE p.right_chain END
      FROM placement p WHERE p.member_id = ANY(${of.map(String)}::bigint[]) AND p.leg IS NOT NULL AND p.member_id > ${memberId}
      UNION ALL
      SELECT c.origin, h.member_id, h.leg, CASE h.leg WHEN 'L' THEN h.left_chain ELSE h.right_chain END
      FROM climb c, top t, placement h
      WHERE h.member_id = c.chain AND h.leg IS NOT NULL AND h.member_id > ${memberId}
        AND c.chain <> CASE c.leg WHEN 'L' THEN t.left_chain ELSE t.right_chain END
    )
    SELECT c.origin, c.leg FROM climb c, top t
    WHERE c.chain = CASE c.leg WHEN 'L' THEN t.left_chain ELSE t.right_chain END`
  return new Map(rows.map(({ origin, leg }) => [origin, leg]))
}

interface StoredPoints {
  readonly id: bigint
  readonly member_id: bigint
  readonly credited_at: Date
  readonly amount: bigint
  readonly username: string
  readonly email: string
  /** Whose points these are introduced that member. */
  readonly is_referral: boolean
  readonly reversed: boolean
}

async function selectPoints(
  db: Db,
  memberId: bigint,
  investments: readonly { id: bigint }[],
): Promise<StoredPoints[]> {
  return query<StoredPoints>(db)`
    SELECT i.id, i.member_id, i.credited_at, i.amount, m.username, m.email, coalesce(s.sponsor_id = ${memberId}, false) AS is_referral,
      v.id IS NOT NULL AS reversed
    FROM investment i JOIN member m ON m.id = i.member_id JOIN sponsorship s ON s.member_id = i.member_id
      LEFT JOIN reversal v ON v.member_id = i.member_id AND v.investment_id = i.id
    WHERE i.id = ANY(${investments.map(({ id }) => String(id))}::bigint[]) ORDER BY i.credited_at DESC, i.id DESC`
}

/** Up to here a team is listed whole; above, so many invest in it that the newest are found by looking at the newest. */
const SMALL_TEAM = 2000
const WINDOW = 500
/** A hundred pages of a hundred in the sparsest of large teams; further back is refused rather than waited for. */
const MOST_WINDOWS = 1000

export interface PointsRow extends StoredPoints {
  readonly leg: 'L' | 'R'
  /** Its day has been matched. */
  readonly counted: boolean
}

interface Found {
  readonly ids: readonly { id: bigint; memberId: bigint }[]
  readonly legs: ReadonlyMap<bigint, 'L' | 'R'>
}

async function amongFew(
  db: Db,
  memberId: bigint,
  team: readonly bigint[],
  limit: number,
  offset: number,
): Promise<Found> {
  const ids = await selectInvestmentIds(db, team, null, limit, offset)
  const legs = await selectLegs(
    db,
    memberId,
    ids.map((row) => row.memberId),
  )
  return { ids, legs }
}

async function amongMany(db: Db, memberId: bigint, limit: number, offset: number): Promise<Found> {
  const ids: { id: bigint; memberId: bigint }[] = []
  const legs = new Map<bigint, 'L' | 'R'>()
  let before: Invested | null = null
  let passed = 0
  for (let windows = 0; windows < MOST_WINDOWS && ids.length < limit; windows += 1) {
    const window = await selectInvestmentIds(db, null, before, WINDOW, 0)
    const last = window.at(-1)
    if (last === undefined) break
    before = last
    const found = await selectLegs(db, memberId, [...new Set(window.map((row) => row.memberId))])
    for (const row of window) {
      const leg = found.get(row.memberId)
      if (leg === undefined) continue
      passed += 1
      if (passed <= offset || ids.length === limit) continue
      ids.push(row)
      legs.set(row.memberId, leg)
    }
  }
  return { ids, legs }
}

/** How many investments since the last matched day stand below the member. */
async function countSince(db: Db, memberId: bigint, until: Date | null): Promise<number> {
  let count = 0
  let before: Invested | null = null
  for (let windows = 0; windows < MOST_WINDOWS; windows += 1) {
    const window = await selectInvestmentIds(db, null, before, WINDOW, 0)
    const recent = window.filter((row) => until === null || row.creditedAt >= until)
    const legs = await selectLegs(
      db,
      memberId,
      recent.map((row) => row.memberId),
    )
    count += recent.filter((row) => legs.has(row.memberId)).length
    const last = window.at(-1)
    if (last === undefined || recent.length < window.length) return count
    before = last
  }
  return count
}

/** A page of the points that a member's legs were given, newest first. */
export async function pointsOf(db: Db, memberId: bigint, limit: number, offset: number) {
  const totals = await selectLegTotals(db, memberId)
  const team = await selectBelow(db, memberId, SMALL_TEAM + 1)
  const few = team.length <= SMALL_TEAM
  const count = few
    ? await countInvestments(db, team)
    : totals.events + (await countSince(db, memberId, totals.until))
  if (offset >= count) return { rows: [], count }
  const { ids, legs } = few
    ? await amongFew(db, memberId, team, limit, offset)
    : await amongMany(db, memberId, limit, offset)
  const rows = (await selectPoints(db, memberId, ids)).flatMap((row): PointsRow[] => {
    const leg = legs.get(row.member_id)
    const counted = totals.until !== null && row.credited_at < totals.until
    return leg === undefined ? [] : [{ ...row, leg, counted }]
  })
  return { rows, count }
}

/** The points on a member's legs, and what the member lacks to earn by them. */
export async function legsOf(db: Db, memberId: bigint) {
  const [legs, balances] = await Promise.all([selectLegTotals(db, memberId), balancesOf(db, memberId)])
  const lacking = [
    ...(balances.principal > 0n ? [] : (['investment'] as const)),
    ...(legs.active_left ? [] : (['active_left'] as const)),
    ...(legs.active_right ? [] : (['active_right'] as const)),
  ]
  return { ...legs, lacking }
}

export type Legs = Awaited<ReturnType<typeof legsOf>>
