/**
 * The solid chain in order, in batches that are recorded together. A batch ends after BATCH_BLOCKS blocks,
 * BATCH_MOVEMENTS movements (whoever they are for) or BATCH_MS, whichever comes first, and where reading failed.
 */
import { type BlockRef, breakBetween } from './continuity.rules.ts'
import { ChainFault } from './fault.ts'
import type { BlockFacts } from './read-block.ts'

const BATCH_BLOCKS = 100
const BATCH_MOVEMENTS = 5_000
const BATCH_MS = 500

export interface Batch {
  readonly from: BlockRef
  /** The last block read; also a batch in which nothing moved leads the cursor here. */
  readonly to: BlockRef
  /** The blocks in which something moved. */
  readonly blocks: readonly BlockFacts[]
}

/**
 * Batches of `blocks`, which must follow `from` without a gap.
 * @throws ChainFault `broken` where they do not, and whatever `blocks` throws; never before what was read up to there is
 * given
 */
export async function* batchesOf(
  from: BlockRef,
  blocks: AsyncIterable<BlockFacts>,
): AsyncGenerator<Batch, void, undefined> {
  const failure: { error?: unknown } = {}
  let batch = emptyBatch(from)
  try {
    for await (const block of blocks) {
      const broken = breakBetween(batch.to, block)
      if (broken !== null) throw new ChainFault('broken', broken)
      batch.to = { number: block.number, id: block.id }
      batch.movements += block.movements.length
      if (block.movements.length > 0) batch.blocks.push(block)
      if (!isFull(batch)) continue
      yield batch
      batch = emptyBatch(batch.to)
    }
  } catch (error) {
    failure.error = error
  }
  if (batch.to.number > batch.from.number) yield batch
  if ('error' in failure) throw failure.error
}

function emptyBatch(from: BlockRef) {
  const blocks: BlockFacts[] = []
  return { from, to: from, blocks, movements: 0, began: performance.now() }
}

function isFull(batch: ReturnType<typeof emptyBatch>): boolean {
  return (
    batch.to.number - batch.from.number >= BATCH_BLOCKS ||
    batch.movements >= BATCH_MOVEMENTS ||
    performance.now() - batch.began >= BATCH_MS
  )
}
