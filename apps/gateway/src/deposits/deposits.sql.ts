import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Movement } from './movements.rules.ts'
import type { Verdict } from './verdict.rules.ts'

/** A verdict on a movement, ready to be recorded. */
export interface Transfer extends Movement {
  readonly verdict: Verdict
  readonly block: number
  readonly at: Date
}

/** A payment that is on its way: seen in a block that may still be replaced. */
export interface Sighting {
  readonly txid: string
  readonly position: number
  readonly memberId: bigint
  readonly block: number
  readonly value: bigint
}

/** Those of the addresses that are ours, with their members. */
export async function findOurs(db: Db, addresses: readonly string[]): Promise<Map<string, bigint>> {
  if (addresses.length === 0) return new Map()
  const rows = await db
    .selectFrom('deposit_address')
    .select(['address', 'member_id'])
    .where('address', '=', sql<string>`any(${addresses}::text[])`)
    .execute()
  return new Map(rows.map((row) => [row.address, row.member_id]))
}

/**
 * Records transfers in the order given, each once by (txid, position); tells which of them are new. The order is kept:
 * it becomes `seq`, in which members are credited. PostgreSQL calls a volatile function after the sorting, row by row.
 */
export async function recordTransfers(db: Db, transfers: readonly Transfer[]): Promise<boolean[]> {
  const column = (read: (transfer: Transfer) => string | number) => transfers.map(read)
  const { rows } = await sql<{ recorded: boolean }>`
    SELECT record_transfer(t.txid, t.position, t.block, t.at, t.verdict, t.contract, t.sender, t.receiver, t.value) AS recorded
    FROM unnest(
      ${column((each) => each.txid)}::text[], ${column((each) => each.position)}::integer[],
      ${column((each) => each.block)}::bigint[], ${column((each) => each.at.toISOString())}::timestamptz[],
      ${column((each) => each.verdict)}::text[], ${column((each) => each.contract)}::text[],
      ${column((each) => each.from)}::text[], ${column((each) => each.to)}::text[],
      ${column((each) => String(each.value))}::numeric[]
    ) WITH ORDINALITY AS t (txid, position, block, at, verdict, contract, sender, receiver, value, place)
    ORDER BY t.place`.execute(db)
  return rows.map((row) => row.recorded)
}

/** Forgets what was on its way up to this block: it has arrived, or it never will. */
export async function dropSightingsThrough(db: Db, block: number): Promise<void> {
  await db.deleteFrom('chain_sighting').where('block', '<=', BigInt(block)).execute()
}

/**
 * Makes the sightings above the solid block exactly these. What is solid but not read yet stays, so that a payment never
 * vanishes between being seen and being recorded; what is read goes.
 */
export async function replaceSightings(
  db: Db,
  bounds: { readonly scanned: number; readonly solid: number },
  sightings: readonly Sighting[],
): Promise<void> {
  const txids = sightings.map((each) => each.txid)
  const positions = sightings.map((each) => each.position)
  await sql`
    DELETE FROM chain_sighting s
    WHERE s.block <= ${bounds.scanned} OR (s.block > ${bounds.solid} AND NOT EXISTS (
      SELECT FROM unnest(${txids}::text[], ${positions}::integer[]) AS f (txid, position)
      WHERE f.txid = s.txid AND f.position = s.position))`.execute(db)
  if (sightings.length === 0) return
  await sql`
    INSERT INTO chain_sighting (txid, position, member_id, block, value)
    SELECT * FROM unnest(
      ${txids}::text[], ${positions}::integer[], ${sightings.map((each) => String(each.memberId))}::bigint[],
      ${sightings.map((each) => each.block)}::bigint[], ${sightings.map((each) => String(each.value))}::bigint[])
    ON CONFLICT (txid, position) DO UPDATE
    SET member_id = excluded.member_id, block = excluded.block, value = excluded.value
    WHERE (chain_sighting.member_id, chain_sighting.block, chain_sighting.value)
      IS DISTINCT FROM (excluded.member_id, excluded.block, excluded.value)`.execute(db)
}
