/** Members by the beginning of a name, and who of them stands in a part of a tree. */
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { type Beginning, beginningsWith } from '../../core/names.sql.ts'
import { query, queryColumn, queryValue } from '../../core/query.sql.ts'
import { linksOf } from './downline.sql.ts'
import { BLOCK, type Tree } from './numbering.sql.ts'

/** A text as names are compared: without accents, in lower case, one space between words. */
export async function selectFolded(db: Db, text: string): Promise<string> {
  return queryValue<string>(db)`SELECT folded_name(${text}) AS folded`
}

/** Members from a number on with something that begins with the word; `part` says which of those of each index. */
function beginningWith(word: string, from: bigint, part: RawBuilder<unknown>) {
  const ofIndex = ({ is, inOrder }: Beginning) =>
    sql`(SELECT id FROM member WHERE ${is} AND id >= ${from} ${inOrder} ${part})`
  return sql.join(beginningsWith(word).map(ofIndex), sql` UNION ALL `)
}

/** At most `most` by each index. */
const firstWith = (word: string, from: bigint, most: number) => beginningWith(word, from, sql`LIMIT ${most}`)

/** Of a member `m`: every word begins a word of the name, or the username, in which there are no spaces. */
export function matches(words: readonly string[]) {
  return sql`NOT EXISTS (SELECT FROM unnest(${words}::text[]) AS w (word)
    WHERE strpos(' ' || folded_name(m.username || ' ' || m.first_name || ' ' || m.last_name), ' ' || w.word) = 0)`
}

/** Of a candidate `c` that an index gave for one word: the others, if there are any. */
const alsoCalled = (others: readonly string[]) =>
  others.length === 0
    ? sql``
    : sql`AND EXISTS (SELECT FROM member m WHERE m.id = c.id AND ${matches(others)})`

const recentAt = (tree: Tree) => (tree === 'unilevel' ? sql`sponsor_at` : sql`place_at`)

/** Positions of a subtree, the ends included. */
export interface Interval {
  readonly generation: number
  readonly from: number
  readonly to: number
}

/** What is looked for, and how much of it. */
export interface Wanted {
  readonly words: readonly string[]
  /** The word that decides: of its index entries at most `most` are looked at. */
  readonly key: string
  /** The member whose downline it is: those below joined later, and have higher numbers. */
  readonly topId: bigint
  readonly most: number
  readonly limit: number
}

/**
 * Those of the interval among the first candidates of each index. Looked up one by one, so that it ends with the last that
 * is wanted and not with the last candidate; `OFFSET 0` keeps that from being done for those who are not called so. A range
 * asks for the position once, where BETWEEN looks it up twice.
 * @param others of the words: compared with each member who stands there, or taken from the index before anybody is looked up
 */
export async function selectCandidates(
  db: Db,
  tree: Tree,
  { generation, from, to }: Interval,
  { words, key, topId, most, limit }: Wanted,
  others: 'looked at' | 'from the index',
): Promise<bigint[]> {
  const rest = words.filter((word) => word !== key)
  const fromIndex = others === 'from the index'
  const called = (fromIndex ? rest : []).map((word) => sql`AND k.id IN (${firstWith(word, topId, most)})`)
  return queryColumn<bigint>(db)`
    SELECT c.id FROM (SELECT k.id FROM (${firstWith(key, topId, most)}) k WHERE true ${sql.join(called, sql` `)} OFFSET 0) c
    WHERE int8range(${from}, ${to}, '[]') @> coalesce((SELECT nullif(d.enters[(c.id % ${BLOCK}::bigint)::int + 1], 0) FROM downline d
        WHERE d.generation = ${generation} AND d.tree = ${tree} AND d.block = (c.id / ${BLOCK}::bigint)::int),
      (SELECT r.${recentAt(tree)} FROM downline_recent r WHERE r.member_id = c.id))::bigint
      ${fromIndex ? sql`` : alsoCalled(rest)}
    LIMIT ${limit}`
}

/** Whether an index has more that begins with the word than were looked at. */
export async function selectHasMore(db: Db, { key, topId }: Pick<Wanted, 'key' | 'topId'>, most: number) {
  const beyond = beginningWith(key, topId, sql`OFFSET ${most} LIMIT 1`)
  const rows = await query(db)`SELECT id FROM (${beyond}) beyond LIMIT 1`
  return rows.length > 0
}

/** The members of an interval. */
const membersOf = (tree: Tree, { generation, from, to }: Interval) => sql`
  SELECT unnest(d.members[greatest(${from}::int - d.block * ${BLOCK}::int, 0) + 1 : least(${to}::int - d.block * ${BLOCK}::int, ${BLOCK}::int - 1) + 1])::bigint AS id
    FROM downline d
    WHERE d.generation = ${generation} AND d.tree = ${tree} AND d.block BETWEEN ${Math.floor(from / BLOCK)}::int AND ${Math.floor(to / BLOCK)}::int
  UNION ALL SELECT member_id FROM downline_recent WHERE ${recentAt(tree)} BETWEEN ${from} AND ${to}`

/**
 * Two crowds beside each other: who belongs to the interval, and who is called so. The first is held in memory, and those
 * who are called so are looked up there, up to the last that is wanted; `IS TRUE` keeps the planner from joining them otherwise. Who is
 * called so twice is found twice.
 */
export async function selectInBoth(
  db: Db,
  tree: Tree,
  interval: Interval,
  { words, key, topId, most, limit }: Wanted,
): Promise<bigint[]> {
  const called = alsoCalled(words.filter((word) => word !== key))
  return queryColumn<bigint>(db)`
    SELECT c.id FROM (SELECT k.id FROM (${firstWith(key, topId, most)}) k OFFSET 0) c
    WHERE (c.id IN (SELECT id FROM (${membersOf(tree, interval)}) s)) IS TRUE ${called} LIMIT ${limit}`
}

/** Everybody of the interval, compared one by one: for short ones. */
export async function selectInInterval(
  db: Db,
  tree: Tree,
  interval: Interval,
  words: readonly string[],
  limit: number,
): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT m.id FROM (${membersOf(tree, interval)}) c
    JOIN member m ON m.id = c.id WHERE ${matches(words)} LIMIT ${limit}`
}

/** Below a member who has no number: level by level, at most so many members. */
export async function selectByWalking(
  db: Db,
  tree: Tree,
  memberId: bigint,
  words: readonly string[],
  most: number,
  limit: number,
): Promise<bigint[]> {
  const { table, above } = linksOf(tree)
  return queryColumn<bigint>(db)`
    WITH RECURSIVE team (id) AS (
      SELECT ${memberId}::bigint
      UNION ALL
      SELECT l.member_id FROM team t JOIN ${table} l ON l.${above} = t.id
    )
    SELECT m.id FROM (SELECT id FROM team LIMIT ${most}) c JOIN member m ON m.id = c.id WHERE ${matches(words)} LIMIT ${limit}`
}

/** The member with exactly this address. */
export async function selectByEmail(db: Db, email: string): Promise<bigint | null> {
  const row = await db
    .selectFrom('member_identifier')
    .select('member_id')
    .where('kind', '=', 'email')
    .where('value', '=', email)
    .where('former_since', 'is', null)
    .executeTakeFirst()
  return row?.member_id ?? null
}

/** Of the latest referrals, whose addresses the member sees anyway: whose begins so. */
export async function selectReferralsByEmail(
  db: Db,
  memberId: bigint,
  beginning: string,
  most: number,
  limit: number,
): Promise<bigint[]> {
  return queryColumn<bigint>(db)`
    SELECT m.id FROM (SELECT member_id FROM sponsorship WHERE sponsor_id = ${memberId} ORDER BY member_id DESC LIMIT ${most}) s
    JOIN member m ON m.id = s.member_id WHERE starts_with(lower(m.email), ${beginning}) LIMIT ${limit}`
}
