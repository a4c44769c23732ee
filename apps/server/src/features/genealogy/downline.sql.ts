/** Where members stand in the numbered trees, who is below whom, and sums over whole subtrees (decision 025). */
import { type Db, prepared } from '@aval/db'
import { sql } from 'kysely'
import { since } from '../../core/network.sql.ts'
import { query, queryColumn, queryValue } from '../../core/query.sql.ts'
import { BLOCK, numberedOf, type Tree } from './numbering.sql.ts'

/** The table of a tree's links, with the column that names who is above. */
const LINKS = {
  unilevel: { table: sql`sponsorship`, above: sql`sponsor_id` },
  binary: { table: sql`placement`, above: sql`parent_id` },
} as const
/** Of who has no number: the nearest numbered position above. */
const RECENT_AT = { unilevel: sql`sponsor_at`, binary: sql`place_at` } as const

export const linksOf = (tree: Tree) => LINKS[tree]

export interface Standing {
  readonly id: bigint
  /** 0: the trees were never numbered. */
  readonly generation: number
  /** The member's own position, or the nearest numbered one above; null before the first numbering. */
  readonly at: number | null
  /** Members of the subtree by the numbering; null for who has no number. */
  readonly size: number | null
  /** Null where only walking tells. */
  readonly depth: number | null
}

/** By number; who is no member is left out. */
export async function selectStandings(db: Db, tree: Tree, ids: readonly bigint[]) {
  const depth = tree === 'unilevel' ? sql`s.depth` : sql`coalesce(n.depth, r.place_depth)`
  const rows = await query<Standing>(db)`
    SELECT s.member_id AS id, g.generation, coalesce(n.position, r.${RECENT_AT[tree]}) AS at, n.size, ${depth} AS depth
    FROM sponsorship s CROSS JOIN downline_generation g
      LEFT JOIN LATERAL (${numberedOf(tree, sql<bigint>`s.member_id`)}) n ON true
      LEFT JOIN downline_recent r ON r.member_id = s.member_id
    WHERE s.member_id = ANY(${ids.map(String)}::bigint[])`
  return new Map(rows.map((standing) => [standing.id, standing]))
}

/** Null for a number that nobody has. */
export async function selectStanding(db: Db, tree: Tree, memberId: bigint): Promise<Standing | null> {
  return (await selectStandings(db, tree, [memberId])).get(memberId) ?? null
}

/** Whether a walk up from one member meets another. `recentOnly`: it ends at the first who has a number. */
export async function selectReaches(
  db: Db,
  tree: Tree,
  memberId: bigint,
  topId: bigint,
  recentOnly: boolean,
): Promise<boolean> {
  const { table, above } = linksOf(tree)
  const onlyRecent = recentOnly ? sql`JOIN downline_recent r ON r.member_id = up.id` : sql``
  return queryValue<boolean>(db)`
    WITH RECURSIVE up (id) AS (
      SELECT ${memberId}::bigint
      UNION ALL
      SELECT l.${above} FROM up ${onlyRecent} JOIN ${table} l ON l.member_id = up.id WHERE up.id <> ${topId} AND l.${above} IS NOT NULL
    )
    SELECT EXISTS (SELECT FROM up WHERE id = ${topId}) AS found`
}

/** Steps up to the first member of all, one by one. */
export async function selectDepthByWalking(db: Db, tree: Tree, memberId: bigint): Promise<number> {
  const { table, above } = linksOf(tree)
  return queryValue<number>(db)`
    WITH RECURSIVE up (id) AS (
      SELECT ${memberId}::bigint
      UNION ALL
      SELECT l.${above} FROM up JOIN ${table} l ON l.member_id = up.id WHERE l.${above} IS NOT NULL
    )
    SELECT count(*)::int - 1 AS depth FROM up`
}

export interface Counted {
  readonly direct: number
  /** Of everybody below; null for who has no number. */
  readonly below: number | null
}

/** In one statement, and so under one numbering: those numbered, and one by one those who joined since. */
export async function selectCounted(db: Db, memberId: bigint): Promise<Counted> {
  const rows = await query<Counted>(db)`${prepared}
    SELECT p.left_referrals + p.right_referrals AS direct,
      n.size - 1 + (SELECT count(*)::int FROM downline_recent r WHERE r.sponsor_at BETWEEN n.position AND n.position + n.size - 1) AS below
    FROM downline_generation g JOIN placement p ON p.member_id = ${memberId}
      LEFT JOIN LATERAL (${numberedOf('unilevel', memberId)}) n ON true`
  return rows[0] ?? { direct: 0, below: 0 }
}

/** One by one, for those below whom nobody has a number: they all joined since the last numbering. */
export async function selectCountByWalking(db: Db, memberId: bigint): Promise<number> {
  return queryValue<number>(db)`
    WITH RECURSIVE team AS (
      SELECT member_id FROM sponsorship WHERE sponsor_id = ${memberId}
      UNION ALL
      SELECT s.member_id FROM team t JOIN sponsorship s ON s.sponsor_id = t.member_id
    )
    SELECT count(*)::int AS below FROM team`
}

/** The number of history as of which the numbering summed up volumes. */
export async function selectAsOf(db: Db): Promise<bigint> {
  const generation = await db.selectFrom('downline_generation').select('as_of').executeTakeFirst()
  return generation?.as_of ?? 0n
}

/** What moved since then, and at which position. */
export const movedSince = (tree: Tree, asOf: bigint) => sql`
  SELECT coalesce(nullif(d.enters[(m.member_id % ${BLOCK}::bigint)::int + 1], 0), r.${RECENT_AT[tree]}) AS at, m.amount
  FROM (SELECT member_id, sum(amount) AS amount FROM (${since({ asOf })}) every GROUP BY member_id) m
    CROSS JOIN downline_generation g
    LEFT JOIN downline d ON d.generation = g.generation AND d.tree = ${tree} AND d.block = (m.member_id / ${BLOCK}::bigint)::int
    LEFT JOIN downline_recent r ON r.member_id = m.member_id`

/** What the subtrees of these own, the members' own included; null for who has no number. Of nobody: zero. */
export async function selectVolumes(db: Db, tree: Tree, ids: readonly (bigint | null)[]) {
  const asOf = await selectAsOf(db)
  return queryColumn<bigint | null>(db)`
    WITH moved AS MATERIALIZED (${movedSince(tree, asOf)})
    SELECT CASE WHEN i.id IS NULL THEN 0 ELSE (n.volume + coalesce((SELECT sum(amount) FROM moved
        WHERE at BETWEEN n.position AND n.position + n.size - 1), 0))::bigint END AS volume
    FROM unnest(${ids.map((id) => (id === null ? null : String(id)))}::bigint[]) WITH ORDINALITY AS i (id, place)
      CROSS JOIN downline_generation g
      LEFT JOIN LATERAL (
        SELECT d.enters[e.i] AS position, d.sizes[e.i] AS size, d.volumes[e.i] AS volume
        FROM downline d, (VALUES ((i.id % ${BLOCK}::bigint)::int + 1)) e (i)
        WHERE d.generation = g.generation AND d.tree = ${tree} AND d.block = (i.id / ${BLOCK}::bigint)::int AND d.enters[e.i] > 0) n ON true
    ORDER BY i.place`
}

/** The same, one by one. */
export async function selectVolumeByWalking(db: Db, tree: Tree, memberId: bigint): Promise<bigint> {
  const { table, above } = linksOf(tree)
  return queryValue<bigint>(db)`
    WITH RECURSIVE team AS (
      SELECT ${memberId}::bigint AS member_id
      UNION ALL
      SELECT l.member_id FROM team t JOIN ${table} l ON l.${above} = t.member_id
    )
    SELECT coalesce(sum(b.principal), 0)::bigint AS volume FROM team JOIN member_balance b USING (member_id)`
}

export interface Step {
  readonly start: bigint
  readonly id: bigint
}

/** From each of these up, nearest first, themselves included: at most `most` members each, and none above `topId`. */
export async function selectClimbs(db: Db, tree: Tree, ids: readonly bigint[], topId: bigint, most: number) {
  const { table, above } = linksOf(tree)
  return query<Step>(db)`
    WITH RECURSIVE up (start, id, step) AS (
      SELECT id, id, 1 FROM unnest(${ids.map(String)}::bigint[]) AS i (id)
      UNION ALL
      SELECT up.start, l.${above}, up.step + 1 FROM up JOIN ${table} l ON l.member_id = up.id
      WHERE up.step < ${most} AND up.id <> ${topId} AND l.${above} IS NOT NULL
    )
    SELECT start, id FROM up ORDER BY start, step`
}

/** The members above these at a depth; null for who has no number. */
export async function selectAncestors(db: Db, tree: Tree, ids: readonly bigint[], depth: number) {
  const rows = await query<{ id: bigint; above: bigint | null }>(db)`
    SELECT id, downline_ancestor(${tree}, id, ${depth}::int) AS above FROM unnest(${ids.map(String)}::bigint[]) AS i (id)`
  return new Map(rows.map(({ id, above }) => [id, above]))
}

/** Who has a position. */
export async function selectHolder(db: Db, tree: Tree, position: number): Promise<bigint | null> {
  const rows = await query<{ id: bigint }>(db)`
    SELECT d.members[${position % BLOCK}::int + 1]::bigint AS id FROM downline_generation g
    JOIN downline d ON d.generation = g.generation AND d.tree = ${tree} AND d.block = ${Math.floor(position / BLOCK)}::int`
  return rows[0]?.id ?? null
}

/** The children below a member on each side. */
export async function selectLegs(db: Db, memberId: bigint) {
  const rows = await db
    .selectFrom('placement')
    .select(['member_id', 'leg'])
    .where('parent_id', '=', memberId)
    .execute()
  const on = (leg: string) => rows.find((row) => row.leg === leg)?.member_id ?? null
  return { left: on('L'), right: on('R') }
}
