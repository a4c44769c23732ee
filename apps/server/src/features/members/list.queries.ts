/** The list of members: filters and a key, never a number of rows to skip. */
import { type MemberOrder, type MembersFilter, MOST_COUNTED } from '@aval/contract'
import type { Db } from '@aval/db'
import { addDays, type Day, dayStart } from '@aval/plan'
import { type RawBuilder, sql } from 'kysely'
import { fold } from '../../core/fold.rules.ts'
import { atOneMoment, countOf, countUpTo, query, queryFirst } from '../../core/query.sql.ts'
import { findMemberIds } from './search.queries.ts'

export interface MemberRow {
  readonly id: bigint
  readonly username: string
  readonly name: string
  readonly email: string
  readonly phone_number: string
  readonly joined_at: Date
  readonly closed_at: Date | null
  readonly is_frozen: boolean
  readonly is_fundator: boolean
  readonly is_operator: boolean
  readonly sponsor_id: bigint | null
  readonly sponsor: string | null
  readonly principal: bigint
  readonly balance: bigint
  readonly held: bigint
  readonly open_withdrawals: number
}

/** Of the few accounts that were ever frozen, those whose last row says so. */
const FROZEN = sql`SELECT f.member_id FROM member_freeze f
  WHERE f.frozen AND NOT EXISTS (SELECT FROM member_freeze n WHERE n.member_id = f.member_id AND n.id > f.id)`

/** Of `m`, a member, and `b`, their balance. */
const SHOWN = sql`m.id, m.username, trim(m.first_name || ' ' || m.last_name) AS name, m.email, m.phone_number, m.joined_at, m.closed_at,
  is_frozen(m.id), m.is_fundator, m.is_operator, b.principal, b.balance, b.held, s.sponsor_id, u.username AS sponsor,
  (SELECT count(*)::int FROM withdrawal w WHERE w.member_id = m.id AND w.state IN ('requested', 'approved')) AS open_withdrawals`

const JOINED = sql`LEFT JOIN sponsorship s ON s.member_id = m.id LEFT JOIN member u ON u.id = s.sponsor_id`

/** Whom a search box finds: the first that a list can be narrowed to. */
const MOST_FOUND = 200

export interface WantedMembers {
  readonly where: RawBuilder<unknown>
  readonly order: MemberOrder
}

const yes = (wanted: boolean, condition: RawBuilder<unknown>) =>
  wanted ? condition : sql`NOT (${condition})`

/** @param timeZone in which the days of the filter begin */
export async function membersWanted(
  db: Db,
  filter: MembersFilter,
  order: MemberOrder,
  timeZone: string,
): Promise<WantedMembers> {
  const {
    active,
    fundator,
    has_balance,
    open_withdrawal,
    frozen,
    closed,
    joined_from,
    joined_to,
    sponsor,
    q,
  } = filter
  const where: RawBuilder<unknown>[] = [sql`true`]
  if (active !== undefined) where.push(yes(active, sql`b.principal > 0`))
  if (fundator !== undefined) where.push(yes(fundator, sql`m.is_fundator`))
  if (has_balance !== undefined) where.push(yes(has_balance, sql`b.balance > 0`))
  if (open_withdrawal !== undefined) {
    const open = sql`SELECT w.member_id FROM withdrawal w WHERE w.state IN ('requested', 'approved')`
    where.push(yes(open_withdrawal, sql`m.id IN (${open})`))
  }
  if (frozen !== undefined) where.push(yes(frozen, sql`m.id IN (${FROZEN})`))
  if (closed !== undefined) where.push(yes(closed, sql`m.closed_at IS NOT NULL`))
  if (joined_from !== undefined) where.push(sql`m.joined_at >= ${dayStart(joined_from as Day, timeZone)}`)
  if (joined_to !== undefined)
    where.push(sql`m.joined_at < ${dayStart(addDays(joined_to as Day, 1), timeZone)}`)
  if (sponsor !== undefined && sponsor !== '')
    where.push(sql`m.id IN (SELECT f.member_id FROM sponsorship f WHERE f.sponsor_id = (
      SELECT member_id FROM member_identifier WHERE kind = 'username' AND value = ${fold(sponsor)}))`)
  if (q !== undefined) {
    const ids = await findMemberIds(db, q, MOST_FOUND)
    where.push(sql`m.id = ANY(${ids.map(String)}::bigint[])`)
  }
  return { where: sql.join(where, sql` AND `), order }
}

const ORDERS: Readonly<
  Record<MemberOrder, { by: RawBuilder<unknown>; after: (id: bigint) => RawBuilder<unknown> }>
> = {
  '-joined': {
    by: sql`m.joined_at DESC, m.id DESC`,
    after: (id) => sql`(m.joined_at, m.id) < ((SELECT joined_at FROM member WHERE id = ${id}), ${id})`,
  },
  joined: {
    by: sql`m.joined_at, m.id`,
    after: (id) => sql`(m.joined_at, m.id) > ((SELECT joined_at FROM member WHERE id = ${id}), ${id})`,
  },
  '-principal': {
    by: sql`b.principal DESC, b.member_id DESC`,
    after: (id) =>
      sql`(b.principal, b.member_id) < ((SELECT principal FROM member_balance WHERE member_id = ${id}), ${id})`,
  },
}

/** Members after one, in an order; what is shown of each is looked up for those of the page alone. */
export function selectMembers(
  db: Db,
  { where, order }: WantedMembers,
  after: bigint | null,
  limit: number,
): Promise<MemberRow[]> {
  const { by, after: beyond } = ORDERS[order]
  return query<MemberRow>(db)`
    WITH page AS MATERIALIZED (
      SELECT m.id, row_number() OVER (ORDER BY ${by}) AS place FROM member m JOIN member_balance b ON b.member_id = m.id
      WHERE ${where} ${after === null ? sql`` : sql`AND ${beyond(after)}`} ORDER BY ${by} LIMIT ${limit})
    SELECT ${SHOWN} FROM page p JOIN member m ON m.id = p.id JOIN member_balance b ON b.member_id = m.id ${JOINED} ORDER BY p.place`
}

const FOUND = sql`member m JOIN member_balance b ON b.member_id = m.id WHERE`

export const countMembers = (db: Db, { where }: WantedMembers) => countOf(db)`${FOUND} ${where}`

/** A page after a member, whether there are later ones, and how many there are, up to one more than are counted. */
export function listMembers(
  db: Db,
  filter: MembersFilter,
  wanted: {
    readonly order: MemberOrder
    readonly after: bigint | null
    readonly limit: number
    readonly timeZone: string
  },
) {
  return atOneMoment(db, async (tx) => {
    const found = await membersWanted(tx, filter, wanted.order, wanted.timeZone)
    const rows = await selectMembers(tx, found, wanted.after, wanted.limit + 1)
    const count = await countUpTo(tx, MOST_COUNTED + 1)`${FOUND} ${found.where}`
    return { rows: rows.slice(0, wanted.limit), more: rows.length > wanted.limit, count }
  })
}

/** One member as the list has them; undefined for nobody. */
export const selectListed = (db: Db, id: bigint) =>
  queryFirst<MemberRow>(db)`
    SELECT ${SHOWN} FROM member m JOIN member_balance b ON b.member_id = m.id ${JOINED} WHERE m.id = ${id}`
