/** The trees as they are drawn: links level by level, pages of children, and what nodes show. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import { query } from '../../core/query.sql.ts'
import { linksOf } from './downline.sql.ts'
import type { Tree } from './numbering.sql.ts'

export interface Link {
  readonly id: bigint
  /** Steps below the top that was asked for. */
  readonly step: number
}

/** Of a link `l`: its member had joined before a moment. */
function joinedBefore(tree: Tree, until: Date | null) {
  if (until === null) return sql``
  return tree === 'unilevel'
    ? sql`AND l.joined_at < ${until}`
    : sql`AND (SELECT s.joined_at FROM sponsorship s WHERE s.member_id = l.member_id) < ${until}`
}

/**
 * A member and those below, level by level, each level in the order of the one above it; siblings in the order in which they
 * joined, or left before right. The recursion stops as soon as it has given enough.
 */
export async function selectLinks(
  db: Db,
  wanted: { tree: Tree; rootId: bigint; depth: number; limit: number; until: Date | null },
): Promise<Link[]> {
  const { tree, rootId, depth, limit, until } = wanted
  const { table, above } = linksOf(tree)
  return query<Link>(db)`
    WITH RECURSIVE tree (id, step) AS (
      SELECT l.member_id, 0 FROM ${table} l WHERE l.member_id = ${rootId} ${joinedBefore(tree, until)}
      UNION ALL
      SELECT l.member_id, t.step + 1 FROM tree t JOIN ${table} l ON l.${above} = t.id
      WHERE t.step < ${depth} ${joinedBefore(tree, until)}
    )
    SELECT id, step FROM tree LIMIT ${limit}`
}

export async function selectChildren(
  db: Db,
  wanted: { tree: Tree; parentId: bigint; offset: number; count: number; until: Date | null },
): Promise<Link[]> {
  const { tree, parentId, offset, count, until } = wanted
  const { table, above } = linksOf(tree)
  const order = tree === 'unilevel' ? sql`l.member_id` : sql`l.leg`
  return query<Link>(db)`
    SELECT l.member_id AS id, 1 AS step FROM ${table} l WHERE l.${above} = ${parentId} ${joinedBefore(tree, until)}
    ORDER BY ${order} OFFSET ${offset} LIMIT ${count}`
}

export interface NodeRow {
  readonly id: bigint
  readonly username: string
  readonly first_name: string
  readonly last_name: string
  readonly avatar: string
  /** The account is closed: nothing of the person is left. */
  readonly closed: boolean
  readonly above: bigint | null
  readonly leg: string | null
  readonly is_master: boolean
  readonly children: number
  readonly principal: bigint
}

function childrenCount(tree: Tree, until: Date | null) {
  if (tree === 'unilevel' && until === null) return sql`p.left_referrals + p.right_referrals`
  const { table, above } = linksOf(tree)
  return sql`(SELECT count(*)::int FROM ${table} l WHERE l.${above} = m.id ${joinedBefore(tree, until)})`
}

/** What was invested then: what is invested now, less what came since. */
function principalBefore(until: Date | null) {
  if (until === null) return sql`b.principal`
  return sql`(b.principal
    - coalesce((SELECT sum(amount) FROM investment i WHERE i.member_id = m.id AND i.credited_at >= ${until}), 0)
    + coalesce((SELECT sum(amount) FROM reversal v WHERE v.member_id = m.id AND v.at >= ${until}), 0)
    - coalesce((SELECT sum(amount) FROM principal_movement w WHERE w.member_id = m.id AND w.at >= ${until}), 0))::bigint`
}

/** What nodes show, in the order of `ids`. */
export async function selectNodes(db: Db, tree: Tree, ids: readonly bigint[], until: Date | null) {
  return query<NodeRow>(db)`
    SELECT m.id, m.username, m.first_name, m.last_name, m.avatar, m.closed_at IS NOT NULL AS closed, ${tree === 'unilevel' ? sql`s.sponsor_id` : sql`p.parent_id`} AS above,
      p.leg, s.is_master, ${childrenCount(tree, until)} AS children, ${principalBefore(until)} AS principal
    FROM unnest(${ids.map(String)}::bigint[]) WITH ORDINALITY AS i (id, place)
      JOIN member m ON m.id = i.id JOIN sponsorship s ON s.member_id = i.id JOIN placement p ON p.member_id = i.id
      JOIN member_balance b ON b.member_id = i.id
    ORDER BY i.place`
}

export async function selectJoined(db: Db, memberId: bigint): Promise<Date> {
  const members = db.selectFrom('member').select('joined_at').where('id', '=', memberId)
  return (await members.executeTakeFirstOrThrow()).joined_at
}
