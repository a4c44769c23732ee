/**
 * Reads the solid chain in order and records what moved toward us: a few blocks ahead, a batch at a time. One transaction
 * records what a batch found and moves the cursor past it, so that at any instant either both are there or neither is.
 */
import type { NodeClient } from '@aval/tron'
import { batchesOf } from './batches.ts'
import type { BlockRef } from './continuity.rules.ts'
import { readAhead } from './read-ahead.ts'
import { readBlock } from './read-block.ts'
import { type RecordContext, record } from './record.ts'

const IN_FLIGHT = 8

/**
 * Reads the solid blocks after `cursor` up to `to`, and gives the cursor after each batch that is safely stored.
 * Whoever takes them may stop at any of them.
 * @throws NodeError, ChainFault, CursorMoved and what the database throws; the last cursor given stays true
 */
export async function* scan(
  context: RecordContext,
  node: NodeClient,
  cursor: BlockRef,
  to: number,
): AsyncGenerator<BlockRef, void, undefined> {
  const blocks = readAhead(cursor.number + 1, to, IN_FLIGHT, (number) => readBlock(node, number, 'solid'))
  for await (const batch of batchesOf(cursor, blocks)) yield await record(context, batch)
}
