/** A member's payments of every kind in one list, newest first, and their totals. */
import { PAYMENT_KINDS, type PaymentKind } from '@aval/contract'
import type { Db } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { type RawBuilder, sql } from 'kysely'
import { fold } from '../../core/fold.rules.ts'
import { beginningsWith } from '../../core/names.sql.ts'
import { postingsOf } from '../../core/postings.sql.ts'
import { atOneMoment, holdLedger, query, queryOne, queryValue } from '../../core/query.sql.ts'
import {
  type CommissionRow,
  commissions,
  explainCommission,
  explainPassive,
  type PassiveRow,
  passives,
  type StoredCommission,
  type StoredPassive,
} from './earnings.queries.ts'
import { reversalsOf } from './taken-back.queries.ts'
import { sumTakenBack } from './taken-back.rules.ts'

export interface Wanted {
  /** Of every kind where it is undefined. */
  readonly kind: PaymentKind | undefined
  readonly from: Date
  readonly until: Date
  /** What the person is called whose investment caused them; everybody's payments, and nobody's, where it is empty. */
  readonly person: string
}

interface Found extends Omit<Wanted, 'person'> {
  readonly memberId: bigint
  /** Of an item `i`: it was caused by such a person. Null where it does not matter who caused it. */
  readonly caused: RawBuilder<unknown> | null
}

/**
 * Members whose username, or a word of whose name, begins with each of the words. The indexes of names answer it: to fold
 * the names of 100,000 people who caused payments took 2 seconds.
 */
function called(words: readonly string[]) {
  const ids = words.map((word) => {
    const beginning = beginningsWith(word).map(({ is }) => sql`SELECT id FROM member WHERE ${is}`)
    return sql`(${sql.join(beginning, sql` UNION ALL `)})`
  })
  return sql.join(ids, sql` INTERSECT `)
}

/** What is asked of an item. An e-mail finds who shows it: the member's own referrals. */
async function causedBy(db: Db, memberId: bigint, person: string) {
  const folded = await queryValue<string>(db)`SELECT folded_name(${person}) AS folded`
  const words = folded.split(' ').filter((word) => word !== '')
  if (words.length === 0) return sql`false`
  return sql`i.from_member_id IN (WITH called AS MATERIALIZED (${called(words)} UNION ALL
      SELECT f.member_id FROM sponsorship f JOIN member m ON m.id = f.member_id
      WHERE f.sponsor_id = ${memberId} AND starts_with(lower(m.email), ${fold(person)}))
    SELECT id FROM called)`
}

async function find(db: Db, memberId: bigint, { person, ...wanted }: Wanted): Promise<Found> {
  return { ...wanted, memberId, caused: person === '' ? null : await causedBy(db, memberId, person) }
}

const kindsOf = ({ kind }: Found) => sql`${kind === undefined ? [...PAYMENT_KINDS] : [kind]}::posting_kind[]`
const inTime = (at: RawBuilder<unknown>, { from, until }: Found) => sql`${at} >= ${from} AND ${at} < ${until}`
/** Passive profit and matches come from no person. */
const hasPassive = ({ kind, caused }: Found): boolean =>
  caused === null && (kind === undefined || kind === 'passive')

/**
 * What is paid is read from the member's own postings, which carry all that a filter and a sum need: 100,000 of them cost a
 * tenth of a second. Beside them stand the few runs under way.
 */
function everybodys(found: Found) {
  const { memberId } = found
  const kinds = kindsOf(found)
  const open = sql`r.state <> 'done' AND ${inTime(sql`r.at`, found)}`
  const passive = hasPassive(found)
    ? sql`UNION ALL SELECT at, 'passive', true, run_id, NULL, 0, amount FROM (${passives(memberId)} AND ${open}) o WHERE NOT posted AND amount > 0`
    : sql``
  return sql`
    SELECT p.at, p.kind, false AS waiting, NULL::bigint AS run_id, p.journal_id, p.leg, p.amount FROM ${postingsOf(memberId)} p
    WHERE p.kind = ANY(${kinds}) AND ${inTime(sql`p.at`, found)}
    UNION ALL
    SELECT at, kind::posting_kind, true, run_id, NULL, leg, amount FROM (${commissions(memberId)} AND i.kind = ANY(${kinds}) AND ${open}) o
    WHERE NOT posted AND amount > 0
    ${passive}`
}

/** Who caused them stands in the items alone. */
const somebodys = (found: Found, caused: RawBuilder<unknown>) => sql`
  SELECT at, kind::posting_kind AS kind, NOT posted AS waiting, run_id, NULL::bigint AS journal_id, leg, amount
  FROM (${commissions(found.memberId)} AND i.kind = ANY(${kindsOf(found)}) AND ${inTime(sql`r.at`, found)} AND ${caused}) o
  WHERE amount > 0`

const payments = (found: Found) =>
  found.caused === null ? everybodys(found) : somebodys(found, found.caused)

/** Runs of one midnight post side by side: their kinds, and not who was first, say how they follow one another. */
const newestFirst = sql`at DESC, kind, waiting DESC, coalesce(f.run_id, f.journal_id) DESC, leg DESC`

/** Where the payments of a page stand, newest first. */
async function selectPlaces(db: Db, found: Found, limit: number, offset: number) {
  return query<{ runId: bigint; leg: number }>(db)`
    SELECT coalesce(f.run_id, (SELECT id FROM payout_run r WHERE r.journal_id = f.journal_id)) AS "runId", f.leg
    FROM (${payments(found)}) f ORDER BY ${newestFirst} LIMIT ${limit} OFFSET ${offset}`
}

export type PaymentRow = CommissionRow | PassiveRow

/** A page of payments, newest first. */
export function paymentsOf(db: Db, memberId: bigint, wanted: Wanted, limit: number, offset: number) {
  return atOneMoment(db, async (tx) => {
    await holdLedger(tx)
    return pageOf(tx, await find(tx, memberId, wanted), limit, offset)
  })
}

async function pageOf(db: Db, found: Found, limit: number, offset: number) {
  const { memberId } = found
  const places = await selectPlaces(db, found, limit, offset)
  const count = await queryValue<number>(db)`SELECT count(*)::int FROM (${payments(found)}) every`
  const runs = places.map(({ runId }) => runId)
  const legs = places.map(({ leg }) => leg)
  const items = await query<StoredCommission>(db)`${commissions(memberId)}
    AND (i.run_id, i.leg) IN (SELECT * FROM unnest(${runs}::bigint[], ${legs}::integer[]))`
  const days = await query<StoredPassive>(db)`${passives(memberId)} AND r.id = ANY(${runs}::bigint[])`
  const reversals = await reversalsOf(db, memberId)
  const rows: PaymentRow[] = []
  for (const { runId, leg } of places) {
    const item = items.find((row) => row.run_id === runId && row.leg === leg)
    const day = days.find((row) => row.run_id === runId)
    if (item !== undefined) rows.push(await explainCommission(db, item))
    else if (day !== undefined) rows.push(await explainPassive(db, day, reversals))
    else throw new Error(`member ${memberId} was paid by run ${runId}, which has no item ${leg}`)
  }
  return { rows, count }
}

async function commissionTakenBack(db: Db, found: Found): Promise<bigint> {
  const { memberId, caused } = found
  return queryValue<bigint>(db)`
    SELECT coalesce(sum(b.amount), 0)::bigint AS amount FROM reversal_part b JOIN payout_run r ON r.id = b.run_id
      JOIN payout_item i ON i.member_id = b.member_id AND i.run_id = b.run_id AND i.leg = b.item_leg
    WHERE b.member_id = ${memberId} AND i.kind = ANY(${kindsOf(found)}) AND ${inTime(sql`r.at`, found)}
      AND ${caused ?? sql`true`}`
}

/** What was taken back of passive profit is told day by day by a rule: of the days that a reversed investment was paid on. */
async function passiveTakenBack(db: Db, found: Found): Promise<bigint> {
  if (!hasPassive(found)) return 0n
  const reversals = await reversalsOf(db, found.memberId)
  if (reversals.length === 0) return 0n
  const first = new Date(Math.min(...reversals.map((reversal) => reversal.invested_at.getTime())))
  const last = new Date(Math.max(...reversals.map((reversal) => reversal.at.getTime())))
  const days = await query<StoredPassive>(db)`${passives(found.memberId)} AND ${inTime(sql`r.at`, found)}
    AND r.cutoff_at > ${first} AND r.cutoff_at <= ${last}`
  let sum = 0n
  for (const day of days) sum += sumTakenBack((await explainPassive(db, day, reversals)).taken)
  return sum
}

export interface Totals {
  readonly count: number
  readonly amount: Micro
  readonly waiting: Micro
  readonly takenBack: Micro
}

/** Of all that a filter lists. */
export function totalsOf(db: Db, memberId: bigint, wanted: Wanted): Promise<Totals> {
  return atOneMoment(db, async (tx) => {
    await holdLedger(tx)
    return sumsOf(tx, await find(tx, memberId, wanted))
  })
}

async function sumsOf(db: Db, found: Found): Promise<Totals> {
  const sums = await queryOne<{ count: number; amount: bigint; waiting: bigint }>(db)`
    SELECT count(*)::int AS count, coalesce(sum(amount), 0)::bigint AS amount,
      coalesce(sum(amount) FILTER (WHERE waiting), 0)::bigint AS waiting
    FROM (${payments(found)}) every`
  const takenBack = (await commissionTakenBack(db, found)) + (await passiveTakenBack(db, found))
  return {
    count: sums.count,
    amount: micro(sums.amount),
    waiting: micro(sums.waiting),
    takenBack: micro(takenBack),
  }
}
