import type { Db } from '@aval/db'
import { sql } from 'kysely'
import type { Ours, Outflow } from '../chain/findings.rules.ts'
import type { Transfer } from './verdict.rules.ts'

/** A payment that is on its way: seen in a block that may still be replaced. */
export interface Sighting {
  readonly txid: string
  readonly position: number
  readonly memberId: bigint
  readonly block: number
  readonly value: bigint
}

/** Those of the addresses that are ours: members' deposit addresses, and the company's wallets. */
export async function findOurs(db: Db, addresses: readonly string[]): Promise<Map<string, Ours>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<Ours & { address: string }>`
    SELECT address, member_id AS "memberId", 'deposit' AS role FROM deposit_address WHERE address = any(${addresses}::text[])
    UNION ALL
    SELECT address, 0::bigint, role FROM custody_address WHERE address = any(${addresses}::text[])`.execute(
    db,
  )
  return new Map(rows.map(({ address, memberId, role }) => [address, { memberId, role }]))
}

/**
 * Records transfers in the order given, each once by (txid, position); tells which of them are new. The order is kept:
 * it becomes `seq`, in which members are credited. PostgreSQL calls a volatile function after the sorting, row by row.
 */
export async function recordTransfers(db: Db, transfers: readonly Transfer[]): Promise<boolean[]> {
  const column = (read: (transfer: Transfer) => string | number) => transfers.map(read)
  const { rows } = await sql<{ recorded: boolean }>`
    SELECT record_incoming_transfer(t.txid, t.position, t.block, t.at, t.verdict, t.contract, t.sender, t.receiver, t.value) AS recorded
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

/** Records what left our addresses without a payment of ours. */
export async function recordOutflows(db: Db, outflows: readonly Outflow[]): Promise<void> {
  if (outflows.length === 0) return
  await db
    .insertInto('unexplained_outflow')
    .values(
      outflows.map((each) => ({
        txid: each.txid,
        position: each.position,
        block: BigInt(each.block),
        block_at: each.at,
        from_address: each.from,
        to_address: each.to,
        value: String(each.value),
      })),
    )
    .onConflict((conflict) => conflict.columns(['txid', 'position']).doNothing())
    .execute()
}

/** Forgets what was on its way up to this block: it has arrived, or it never will. */
export async function dropSightingsThrough(db: Db, block: number): Promise<void> {
  await db.deleteFrom('unconfirmed_transfer').where('block', '<=', BigInt(block)).execute()
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
    DELETE FROM unconfirmed_transfer s
    WHERE s.block <= ${bounds.scanned} OR (s.block > ${bounds.solid} AND NOT EXISTS (
      SELECT FROM unnest(${txids}::text[], ${positions}::integer[]) AS f (txid, position)
      WHERE f.txid = s.txid AND f.position = s.position))`.execute(db)
  if (sightings.length === 0) return
  await sql`
    INSERT INTO unconfirmed_transfer (txid, position, member_id, block, value)
    SELECT * FROM unnest(
      ${txids}::text[], ${positions}::integer[], ${sightings.map((each) => String(each.memberId))}::bigint[],
      ${sightings.map((each) => each.block)}::bigint[], ${sightings.map((each) => String(each.value))}::bigint[])
    ON CONFLICT (txid, position) DO UPDATE
    SET member_id = excluded.member_id, block = excluded.block, value = excluded.value
    WHERE (unconfirmed_transfer.member_id, unconfirmed_transfer.block, unconfirmed_transfer.value)
      IS DISTINCT FROM (excluded.member_id, excluded.block, excluded.value)`.execute(db)
}
