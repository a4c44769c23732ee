/** What stands there of a run that was computed otherwise, in the form in which it is compared. */
import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Carry, Item, Missed, Page } from './seal.rules.ts'

export async function selectItems(db: Db, run: bigint): Promise<Item[]> {
  const { rows } = await sql<Item>`
    SELECT member_id::int AS member, leg, kind, amount, basis, percentage, level, investment_id AS investment, from_member_id::int AS "from",
      left_points AS "leftPoints", right_points AS "rightPoints", flushed
    FROM payout_item WHERE run_id = ${run} ORDER BY member_id, leg`.execute(db)
  return rows
}

export async function selectMissed(db: Db, run: bigint): Promise<Missed[]> {
  const { rows } = await sql<Missed>`
    SELECT member_id::int AS member, leg, kind, reason, amount, level, investment_id AS investment, from_member_id::int AS "from"
    FROM payout_missed WHERE run_id = ${run} ORDER BY member_id, leg`.execute(db)
  return rows
}

const ints = (values: readonly string[]): bigint[] => values.map(BigInt)

export async function selectPages(db: Db, run: bigint, from: number, to: number): Promise<Page[]> {
  type Stored = { block: number } & Record<'members' | 'bases' | 'amounts' | 'earned', string[]>
  const { rows } = await sql<Stored>`
    SELECT block, members::text[], bases::text[], amounts::text[], earned::text[] FROM payout_page
    WHERE run_id = ${run} AND block BETWEEN ${from} AND ${to} ORDER BY block`.execute(db)
  return rows.map(({ block, members, bases, amounts, earned }) => ({
    block,
    members: members.map(Number),
    bases: ints(bases),
    amounts: ints(amounts),
    earned: earned === null ? null : ints(earned),
  }))
}

export async function selectCarries(db: Db, run: bigint): Promise<Carry[]> {
  const { rows } = await sql<{ block: number; lefts: string[]; rights: string[]; events: number[] }>`
    SELECT block, lefts::text[], rights::text[], events FROM binary_carry WHERE run_id = ${run} ORDER BY block`.execute(
    db,
  )
  return rows.map(({ block, lefts, rights, events }) => ({
    block,
    lefts: BigInt64Array.from(ints(lefts)),
    rights: BigInt64Array.from(ints(rights)),
    events: Int32Array.from(events),
  }))
}
