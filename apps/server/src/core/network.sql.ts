/**
 * Both trees and every member's principal as of a moment that never changes again, packed into arrays by member id. Payout runs compute
 * from them, and the numbering of the trees.
 */
import type { Db, Tx } from '@aval/db'
import { type RawBuilder, sql } from 'kysely'
import { queryColumn, queryValue } from './query.sql.ts'

/**
 * The next number of history, drawn while no transaction changes principal or a master link: every one that was drawn before is
 * committed.
 */
export async function drawNumber(tx: Tx): Promise<bigint> {
  return queryValue<bigint>(tx)`SELECT draw_number()`
}

/** How principal is read as of a moment: what stands now less what came since, plus what was taken back or withdrawn since. */
export type Moment = { readonly before: Date } | { readonly asOf: bigint }

/** Every change of principal since the moment. */
export function since(moment: Moment) {
  return 'before' in moment
    ? sql`SELECT member_id, amount FROM investment WHERE credited_at >= ${moment.before}
        UNION ALL SELECT member_id, -amount FROM reversal WHERE at >= ${moment.before}
        UNION ALL SELECT member_id, amount FROM principal_movement WHERE at >= ${moment.before}`
    : sql`SELECT member_id, amount FROM investment WHERE id > ${moment.asOf}
        UNION ALL SELECT member_id, -amount FROM reversal WHERE id > ${moment.asOf}
        UNION ALL SELECT member_id, amount FROM principal_movement WHERE id > ${moment.asOf}`
}

/** Ids a query of arrays: a megabyte or two an answer, whatever the network's size. */
const STRIDE = 262_144
const MOST_IDS = 2_000_000_000n

/** One more than the highest member id there is. */
export async function selectNetworkSize(db: Db): Promise<number> {
  const top = await queryValue<bigint>(db)`SELECT coalesce(max(member_id), 0) FROM sponsorship`
  if (top > MOST_IDS) throw new Error(`member ids up to ${top} do not fit into arrays of 32 bits`)
  return Number(top) + 1
}

/** Takes each row of `width` bytes that a query answers packed, big-endian as PostgreSQL sends them, a range of ids at a time. */
export async function eachPacked(
  db: Db,
  size: number,
  width: number,
  query: (after: number, to: number) => RawBuilder<{ packed: Buffer | null }>,
  take: (row: DataView, at: number) => void,
): Promise<void> {
  for (let after = -1; after < size; after += STRIDE) {
    const { rows } = await query(after, after + STRIDE).execute(db)
    const packed = rows[0]?.packed
    if (packed == null) continue
    const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
    for (let at = 0; at < packed.byteLength; at += width) take(view, at)
  }
}

export async function readSponsors(db: Db, size: number, asOf: bigint | null) {
  const sponsor = new Int32Array(size)
  const master = new Uint8Array(size)
  await eachPacked(
    db,
    size,
    8,
    (after, to) => sql`
      SELECT string_agg(int4send(member_id::int) || int4send(sponsor_id::int), ''::bytea) AS packed
      FROM sponsorship WHERE sponsor_id IS NOT NULL AND member_id > ${after} AND member_id <= ${to}`,
    (row, at) => {
      sponsor[row.getInt32(at)] = row.getInt32(at + 4)
    },
  )
  const masters = await queryColumn<bigint>(db)`
    SELECT member_id FROM master_code WHERE id < ${asOf ?? 9_223_372_036_854_775_807n}::bigint`
  for (const id of masters) if (id < BigInt(size)) master[Number(id)] = 1
  return { sponsor, master }
}

export async function readPlacements(db: Db, size: number) {
  const parent = new Int32Array(size)
  const leg = new Uint8Array(size)
  await eachPacked(
    db,
    size,
    9,
    (after, to) => sql`
      SELECT string_agg(int4send(member_id::int) || int4send(parent_id::int) || CASE leg WHEN 'L' THEN '\\x01'::bytea ELSE '\\x02'::bytea END,
        ''::bytea) AS packed
      FROM placement WHERE parent_id IS NOT NULL AND member_id > ${after} AND member_id <= ${to}`,
    (row, at) => {
      const id = row.getInt32(at)
      parent[id] = row.getInt32(at + 4)
      leg[id] = row.getUint8(at + 8)
    },
  )
  return { parent, leg }
}

/** Principal of all members at the moment, by member id. */
export async function readPrincipals(db: Db, size: number, moment: Moment): Promise<BigInt64Array> {
  const all = new BigInt64Array(size)
  await eachPacked(
    db,
    size,
    12,
    (after, to) => sql`
      WITH later AS MATERIALIZED (SELECT member_id, sum(amount)::bigint AS amount FROM (${since(moment)}) changes
        WHERE member_id > ${after} AND member_id <= ${to} GROUP BY member_id)
      SELECT string_agg(int4send(b.member_id::int) || int8send(b.principal - coalesce(l.amount, 0)), ''::bytea) AS packed
      FROM member_balance b LEFT JOIN later l ON l.member_id = b.member_id
      WHERE b.member_id > ${after} AND b.member_id <= ${to}`,
    (row, at) => {
      const id = row.getInt32(at)
      if (id < size) all[id] = row.getBigInt64(at + 4)
    },
  )
  return all
}
