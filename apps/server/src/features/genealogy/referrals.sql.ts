/** The members whom a member introduced: by date from the index alone, or looked at one by one to be found or put in order. */
import type { Locale, ReferralOrder, ReferralSort, ReferralStatus } from '@aval/contract'
import type { Db } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { asRead } from '../../core/names.sql.ts'
import { query, queryColumn, queryOne } from '../../core/query.sql.ts'
import { movedSince } from './downline.sql.ts'
import { numberedOf } from './numbering.sql.ts'
import { matches } from './search.sql.ts'

/** In the order in which they joined. Rows that are skipped are skipped in the index alone (`sponsorship_by_date`). */
export async function selectByDate(
  db: Db,
  memberId: bigint,
  newestFirst: boolean,
  { count, limit, offset }: { count: number; limit: number; offset: number },
): Promise<bigint[]> {
  const rest = Math.max(0, count - offset)
  const fromEnd = offset > count / 2
  const descending = newestFirst !== fromEnd
  const skipped = fromEnd ? Math.max(0, rest - limit) : offset
  const way = descending ? sql`DESC` : sql`ASC`
  const ids = await queryColumn<bigint>(db)`
    SELECT member_id FROM sponsorship WHERE sponsor_id = ${memberId}
    ORDER BY joined_at ${way}, member_id ${way} OFFSET ${skipped} LIMIT ${Math.min(limit, rest)}`
  return fromEnd ? ids.toReversed() : ids
}

export interface ReferralRow {
  readonly id: bigint
  readonly joined_at: Date
  readonly username: string
  readonly email: string
  readonly phone_number: string
  readonly is_master: boolean
  readonly principal: bigint
  readonly earned: bigint
}

/** What a list shows of these, in their order. */
export async function selectReferrals(db: Db, memberId: bigint, ids: readonly bigint[]) {
  return query<ReferralRow>(db)`
    SELECT m.id, m.joined_at, m.username, m.email, m.phone_number, s.is_master, b.principal, coalesce(e.amount, 0)::bigint AS earned
    FROM unnest(${ids.map(String)}::bigint[]) WITH ORDINALITY AS i (id, place)
      JOIN member m ON m.id = i.id JOIN sponsorship s ON s.member_id = i.id JOIN member_balance b ON b.member_id = i.id
      LEFT JOIN referral_earned e ON e.member_id = ${memberId} AND e.referral_id = i.id
    ORDER BY i.place`
}

/**
 * What the subtree of each referral owns. Subtrees of siblings do not overlap: laid on one line by position, what moved belongs to
 * the last sibling that stands before it, so that one pass adds up all of them. Who has no number is walked.
 */
const broughtBy = (memberId: bigint, asOf: bigint) => sql`
  WITH RECURSIVE own AS MATERIALIZED (
    SELECT s.member_id AS id, n.position, n.size, n.volume FROM downline_generation g
      JOIN sponsorship s ON s.sponsor_id = ${memberId}
      LEFT JOIN LATERAL (${numberedOf('unilevel', sql<bigint>`s.member_id`)}) n ON true),
  span AS (SELECT min(position) AS first, max(position + size - 1) AS last FROM own),
  line AS (
    SELECT position AS at, id, volume AS amount FROM own WHERE position IS NOT NULL
    UNION ALL
    SELECT moved.at, NULL, moved.amount FROM (${movedSince('unilevel', asOf)}) moved, span WHERE moved.at BETWEEN span.first AND span.last),
  team (top, member_id) AS (
    SELECT id, id FROM own WHERE position IS NULL
    UNION ALL
    SELECT t.top, s.member_id FROM team t JOIN sponsorship s ON s.sponsor_id = t.member_id)
  SELECT max(id) AS id, sum(amount)::bigint AS volume
    FROM (SELECT id, amount, count(id) OVER (ORDER BY at, id NULLS LAST) AS part FROM line) parted GROUP BY part
  UNION ALL
  SELECT top, sum(b.principal)::bigint FROM team JOIN member_balance b USING (member_id) GROUP BY top`

const keysFor = (locale: Locale): Record<ReferralSort, RawBuilder<unknown>> => ({
  date: sql`s.joined_at`,
  name: sql`m.username ${asRead(locale)}`,
  invested: sql`b.principal`,
  brought: sql`v.volume - b.principal`,
  earned: sql`coalesce(e.amount, 0)`,
})

export interface ReferralsWanted {
  readonly status: ReferralStatus | undefined
  /** A text in lower case, and its folded words; null for everybody. */
  readonly called: { readonly text: string; readonly words: readonly string[] } | null
  readonly order: ReferralOrder
  /** The reader's. */
  readonly locale: Locale
  readonly limit: number
  readonly offset: number
}

/** How many there are of these, and a page of them; all of them are looked at. */
export async function selectFound(
  db: Db,
  memberId: bigint,
  asOf: bigint,
  { status, called, order, locale, limit, offset }: ReferralsWanted,
): Promise<{ count: number; ids: bigint[] }> {
  const sort = order.replace('-', '') as ReferralSort
  const byName = sort === 'name' || called !== null
  const member = byName ? sql`JOIN member m ON m.id = s.member_id` : sql``
  const earned = sql`LEFT JOIN referral_earned e ON e.member_id = s.sponsor_id AND e.referral_id = s.member_id`
  const brought = sql`JOIN (${broughtBy(memberId, asOf)}) v ON v.id = s.member_id`
  const active = status === 'active' ? sql`AND b.principal > 0` : sql`AND b.principal = 0`
  const named = sql`AND (${matches(called?.words ?? [])} OR starts_with(lower(m.email), ${called?.text ?? ''}))`
  const found = await queryOne<{ count: number; ids: bigint[] | string[] | null }>(db)`
    SELECT count(*)::int AS count,
      (array_agg(id ORDER BY key ${order.startsWith('-') ? sql`DESC` : sql`ASC`}, id DESC))[${offset + 1}::int:${offset + limit}::int]::text[] AS ids
    FROM (SELECT s.member_id AS id, ${keysFor(locale)[sort]} AS key FROM sponsorship s JOIN member_balance b ON b.member_id = s.member_id
      ${member} ${sort === 'earned' ? earned : sql``} ${sort === 'brought' ? brought : sql``}
      WHERE s.sponsor_id = ${memberId} ${status === undefined ? sql`` : active} ${called === null ? sql`` : named}) found`
  return { count: found.count, ids: (found.ids ?? []).map(BigInt) }
}
