/** Payments of ours on their way through the chain. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { LivePayment, Settlement } from './settlement.rules.ts'

/** All payments that may still happen, by txid. */
export async function findLive(db: Db): Promise<Map<string, LivePayment>> {
  const { rows } = await sql<LivePayment>`
    SELECT txid, purpose, from_address AS "from", to_address AS "to", amount
    FROM outgoing_transfer WHERE state IN ('prepared', 'signed')`.execute(db)
  return new Map(rows.map((row) => [row.txid, row]))
}

/**
 * Closes payments as the chain ended them, in the order given.
 * @throws when one of them was closed already
 */
export async function settlePayments(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return
  const column = (read: (settlement: Settlement) => string | number | boolean | null) => settlements.map(read)
  const { rows } = await sql<{ txid: string; settled: boolean }>`
    SELECT s.txid, settle_outgoing_transfer(s.txid, s.block, s.at, s.success, s.result, s.arrived, s.fee) AS settled
    FROM unnest(
      ${column((each) => each.txid)}::text[], ${column((each) => each.block)}::bigint[],
      ${column((each) => each.at.toISOString())}::timestamptz[], ${column((each) => each.success)}::boolean[],
      ${column((each) => each.result)}::text[],
      ${column((each) => (each.arrived === null ? null : String(each.arrived)))}::bigint[],
      ${column((each) => String(each.fee))}::bigint[]
    ) WITH ORDINALITY AS s (txid, block, at, success, result, arrived, fee, place)
    ORDER BY s.place`.execute(tx)
  const refused = rows.find((row) => !row.settled)
  if (refused !== undefined) throw new Error(`payment ${refused.txid} was closed while it was settled`)
}

/**
 * Notes in which block above the solid one each live payment is seen, and forgets it where the block was replaced. What
 * is solid but not read yet stays as it was.
 */
export async function noteSeen(
  db: Db,
  bounds: { readonly scanned: number; readonly solid: number },
  seen: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = await db
    .selectFrom('outgoing_transfer')
    .select(['txid', 'seen_block'])
    .where('state', 'in', ['prepared', 'signed'])
    .execute()
  const changes = rows.flatMap(({ txid, seen_block }) => {
    const before = seen_block === null ? null : Number(seen_block)
    const waits = before !== null && before > bounds.scanned && before <= bounds.solid
    const now = seen.get(txid) ?? (waits ? before : null)
    return now === before ? [] : [{ txid, block: now }]
  })
  if (changes.length === 0) return
  await sql`
    UPDATE outgoing_transfer p SET seen_block = s.block
    FROM unnest(${changes.map((each) => each.txid)}::text[], ${changes.map((each) => each.block)}::bigint[]) AS s (txid, block)
    WHERE p.txid = s.txid AND p.state IN ('prepared', 'signed')`.execute(db)
}
