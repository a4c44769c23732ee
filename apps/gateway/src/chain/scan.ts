/**
 * Reads the solid chain in order and records what it means to us: a few blocks ahead, a batch at a time. One transaction
 * records what a batch found and moves the cursor past it, so that at any instant either both are there or neither is.
 */
import type { TronAddress } from '@aval/tron'
import { type Heads, readAgreed } from './agreement.ts'
import { batchesOf } from './batches.ts'
import type { BlockRef } from './continuity.rules.ts'
import { readAhead } from './read-ahead.ts'
import { type RecordContext, record } from './record.ts'

const IN_FLIGHT = 8

/** Who to ask. */
export interface Source {
  readonly heads: Heads
  readonly quorum: number
  /** Its own transactions are looked at whatever they are. */
  readonly payer: TronAddress
}

/**
 * Reads the solid blocks after `cursor` up to the solid head, and gives the cursor after each batch that is safely stored.
 * Whoever takes them may stop at any of them.
 * @throws NodeError, NodesSilent, ChainFault, CursorMoved and what the database throws; the last cursor given stays true
 */
export async function* scan(
  context: RecordContext,
  { heads, quorum, payer }: Source,
  cursor: BlockRef,
): AsyncGenerator<BlockRef, void, undefined> {
  const blocks = readAhead(cursor.number + 1, heads.solid.number, IN_FLIGHT, (number) =>
    readAgreed(heads, quorum, number, payer),
  )
  for await (const batch of batchesOf(cursor, blocks, context.elapsed)) yield await record(context, batch)
}
