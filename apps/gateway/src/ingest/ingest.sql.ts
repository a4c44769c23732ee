/** What the chain shows of our addresses, and of our outgoing transfers. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { OutgoingTransfer, Purpose } from '../core/outgoing-transfer.rules.ts'
import type { IncomingTransfer, OwnAddress, Settlement, UnexplainedOutflow } from './classify.rules.ts'

/** An incoming transfer in a block that may still be replaced. */
export interface UnconfirmedTransfer {
  readonly txid: string
  readonly position: number
  readonly memberId: bigint
  readonly block: number
  readonly value: bigint
}

/** How far the chain is read, and how far it is solid. */
interface Bounds {
  readonly scanned: number
  readonly solid: number
}

/** Those of the addresses that are ours: the deposit addresses that the signer derived, and the company's wallets. */
export async function findOwnAddresses(
  db: Db,
  addresses: readonly string[],
): Promise<Map<string, OwnAddress>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<OwnAddress & { address: string }>`
    SELECT address, member_id AS "memberId", 'deposit' AS role FROM deposit_address
      WHERE address = any(${addresses}::text[]) AND key_index IS NOT NULL
    UNION ALL
    SELECT address, 0::bigint, role FROM custody_address WHERE address = any(${addresses}::text[])`.execute(
    db,
  )
  return new Map(rows.map(({ address, memberId, role }) => [address, { memberId, role }]))
}

/**
 * Records transfers in the order given, each once by (txid, position); gives which of them are new. The order becomes
 * `seq`, in which members are credited. PostgreSQL calls a volatile function after the sorting, row by row.
 */
export async function recordIncoming(db: Db, transfers: readonly IncomingTransfer[]): Promise<boolean[]> {
  const column = (read: (transfer: IncomingTransfer) => string | number) => transfers.map(read)
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

/** Whether addresses that an older version stored are still to be derived: until then nobody knows which of them are ours. */
export async function awaitsDeriving(db: Db): Promise<boolean> {
  const { rows } = await sql<{
    waits: boolean
  }>`SELECT underived > 0 AS waits FROM deposit_address_stock()`.execute(db)
  return rows[0]?.waits === true
}

/** Records what left our addresses without an outgoing transfer. */
export async function recordOutflows(db: Db, outflows: readonly UnexplainedOutflow[]): Promise<void> {
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

/** Deletes the unconfirmed transfers up to this block: each has arrived, or never will. */
export async function deleteUnconfirmedThrough(db: Db, block: number): Promise<void> {
  await db.deleteFrom('unconfirmed_transfer').where('block', '<=', BigInt(block)).execute()
}

/**
 * Makes the unconfirmed transfers above the solid block exactly these. What is solid but not read yet stays, so that a
 * transfer never vanishes between being seen and being recorded; what is read goes.
 */
export async function replaceUnconfirmed(
  db: Db,
  bounds: Bounds,
  transfers: readonly UnconfirmedTransfer[],
): Promise<void> {
  const txids = transfers.map((each) => each.txid)
  const positions = transfers.map((each) => each.position)
  await sql`
    DELETE FROM unconfirmed_transfer u
    WHERE u.block <= ${bounds.scanned} OR (u.block > ${bounds.solid} AND NOT EXISTS (
      SELECT FROM unnest(${txids}::text[], ${positions}::integer[]) AS f (txid, position)
      WHERE f.txid = u.txid AND f.position = u.position))`.execute(db)
  if (transfers.length === 0) return
  await sql`
    INSERT INTO unconfirmed_transfer (txid, position, member_id, block, value)
    SELECT * FROM unnest(
      ${txids}::text[], ${positions}::integer[], ${transfers.map((each) => String(each.memberId))}::bigint[],
      ${transfers.map((each) => each.block)}::bigint[], ${transfers.map((each) => String(each.value))}::bigint[])
    ON CONFLICT (txid, position) DO UPDATE
    SET member_id = excluded.member_id, block = excluded.block, value = excluded.value
    WHERE (unconfirmed_transfer.member_id, unconfirmed_transfer.block, unconfirmed_transfer.value)
      IS DISTINCT FROM (excluded.member_id, excluded.block, excluded.value)`.execute(db)
}

/** All open outgoing transfers, by txid. */
export async function findOpenTransfers(db: Db): Promise<Map<string, OutgoingTransfer>> {
  const { rows } = await sql<OutgoingTransfer>`
    SELECT txid, purpose, from_address AS "from", to_address AS "to", amount
    FROM outgoing_transfer WHERE state IN ('prepared', 'signed')`.execute(db)
  return new Map(rows.map((row) => [row.txid, row]))
}

/**
 * Settles outgoing transfers as they ended on the chain, in the order given.
 * @throws when one of them was closed already
 */
export async function settleTransfers(tx: Tx, settlements: readonly Settlement[]): Promise<void> {
  if (settlements.length === 0) return
  const column = (read: (settlement: Settlement) => string | number | boolean | null) => settlements.map(read)
  const { rows } = await sql<{ txid: string; settled: boolean }>`
    SELECT txid, settled FROM settle_outgoing_transfers(
      ${column((each) => each.txid)}::text[], ${column((each) => each.block)}::bigint[],
      ${column((each) => each.at.toISOString())}::timestamptz[], ${column((each) => each.success)}::boolean[],
      ${column((each) => each.result)}::text[],
      ${column((each) => (each.arrived === null ? null : String(each.arrived)))}::bigint[],
      ${column((each) => String(each.fee))}::bigint[])`.execute(tx)
  const refused = rows.find((row) => !row.settled)
  if (refused !== undefined) throw new Error(`transfer ${refused.txid} was closed before it was settled`)
}

/** The traces of these outgoing transfers, of those that have one. */
export async function findTraces(db: Db, txids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ txid: string; traceparent: string }>`
    SELECT txid, traceparent FROM outgoing_transfer WHERE txid = any(${txids}::text[]) AND traceparent IS NOT NULL`.execute(
    db,
  )
  return new Map(rows.map(({ txid, traceparent }) => [txid, traceparent]))
}

/** Whether a restored database still has to catch up with the chain. */
export async function isRestoring(tx: Tx): Promise<boolean> {
  const row = await tx
    .selectFrom('restoration')
    .select('ended_at')
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Records a transfer that a restored database forgot, as settled. What it was for; null where it is none of ours. */
export async function adoptTransfer(
  tx: Tx,
  outflow: UnexplainedOutflow,
  fee: bigint,
): Promise<Purpose | null> {
  const { txid, from, to, value, block, at } = outflow
  const { rows } = await sql<{ purpose: Purpose | null }>`
    SELECT adopt_transfer(${txid}, ${from}, ${to}, ${String(value)}::bigint, ${block}, ${at}, ${String(fee)}::bigint) AS purpose`.execute(
    tx,
  )
  return rows[0]?.purpose ?? null
}

/** Expires the open outgoing transfers that can enter no block after `readTo`, the time of the last block read. */
export async function expireTransfers(tx: Tx, network: string, readTo: Date): Promise<string[]> {
  const { rows } = await sql<{ txid: string; expired: boolean }>`
    SELECT t.txid, expire_outgoing_transfer(t.txid, ${network}) AS expired
    FROM (SELECT txid FROM outgoing_transfer WHERE state IN ('prepared', 'signed') AND expires_at < ${readTo} ORDER BY txid) t`.execute(
    tx,
  )
  return rows.flatMap((row) => (row.expired ? [row.txid] : []))
}

/**
 * Notes in which block above the solid one each open outgoing transfer is, and clears it where the block was replaced.
 * What is solid but not read yet stays as it was.
 */
export async function noteSeenBlocks(
  db: Db,
  bounds: Bounds,
  seen: ReadonlyMap<string, number>,
): Promise<void> {
  const rows = await db
    .selectFrom('outgoing_transfer')
    .select(['txid', 'seen_block'])
    .where('state', 'in', ['prepared', 'signed'])
    .execute()
  const changes = rows.flatMap(({ txid, seen_block }) => {
    const before = seen_block === null ? null : Number(seen_block)
    const isUnread = before !== null && before > bounds.scanned && before <= bounds.solid
    const now = seen.get(txid) ?? (isUnread ? before : null)
    return now === before ? [] : [{ txid, block: now }]
  })
  if (changes.length === 0) return
  await sql`
    UPDATE outgoing_transfer t SET seen_block = s.block
    FROM unnest(${changes.map((each) => each.txid)}::text[], ${changes.map((each) => each.block)}::bigint[]) AS s (txid, block)
    WHERE t.txid = s.txid AND t.state IN ('prepared', 'signed')`.execute(db)
}
