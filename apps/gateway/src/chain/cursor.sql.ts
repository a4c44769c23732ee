/** How far the chain is read: one row a network. The database moves it, over blocks that follow the last one read. */
import type { Db, Tx } from '@aval/db'
import { sql } from 'kysely'
import type { BlockRef } from './block.rules.ts'

export async function findCursor(db: Db, network: string): Promise<BlockRef | null> {
  const row = await db
    .selectFrom('chain_cursor')
    .select(['scanned_block', 'scanned_block_id'])
    .where('network', '=', network)
    .executeTakeFirst()
  return row === undefined ? null : { number: Number(row.scanned_block), id: row.scanned_block_id }
}

/** Starts at `start`, unless a cursor exists. */
export async function insertCursor(db: Db, network: string, start: BlockRef): Promise<void> {
  await db
    .insertInto('chain_cursor')
    .values({
      network,
      scanned_block: BigInt(start.number),
      scanned_block_id: start.id,
      head_block: BigInt(start.number),
      solid_block: BigInt(start.number),
      seen_at: sql<Date>`now()`,
    })
    .onConflict((conflict) => conflict.column('network').doNothing())
    .execute()
}

/**
 * Moves the cursor over these blocks and locks its row until the transaction ends. `moved`, or the database's reason against it: `elsewhere`
 * when it did not stand before the first of them, because another process has moved it.
 */
export async function moveCursor(
  db: Db,
  network: string,
  blocks: readonly (BlockRef & { readonly parentId: string; readonly at: Date })[],
): Promise<string> {
  const { rows } = await sql<{ verdict: string }>`
    SELECT move_chain_cursor(${network}, ${blocks.map(({ number }) => String(number))}::bigint[], ${blocks.map(({ id }) => id)}::text[],
      ${blocks.map(({ parentId }) => parentId)}::text[], ${blocks.map(({ at }) => at.toISOString())}::timestamptz[]) AS verdict`.execute(
    db,
  )
  return rows[0]?.verdict ?? 'elsewhere'
}

/** Locks the cursor until the transaction ends. False when it does not stand at `at`. */
export async function holdCursor(tx: Tx, network: string, at: BlockRef): Promise<boolean> {
  const row = await tx
    .selectFrom('chain_cursor')
    .select('scanned_block_id')
    .where('network', '=', network)
    .where('scanned_block', '=', BigInt(at.number))
    .where('scanned_block_id', '=', at.id)
    .forUpdate()
    .executeTakeFirst()
  return row !== undefined
}

/** Stores the newest and the solid block of this poll. */
export async function saveHeads(db: Db, network: string, head: number, solid: number): Promise<void> {
  await db
    .updateTable('chain_cursor')
    .set({ head_block: BigInt(head), solid_block: BigInt(solid), seen_at: sql<Date>`now()` })
    .where('network', '=', network)
    .execute()
}
