/**
 * Groups the solid chain into batches that are recorded together. A batch ends after BATCH_BLOCKS blocks, BATCH_MOVEMENTS
 * movements (whoever they are for) or BATCH_MS, whichever comes first, and where reading failed.
 */
import { type BlockFacts, type BlockRef, breakBetween } from '../chain/block.rules.ts'
import { ChainFault } from '../chain/errors.ts'

const BATCH_BLOCKS = 100
const BATCH_MOVEMENTS = 5_000
const BATCH_MS = 500

export interface Batch {
  readonly from: BlockRef
  /** At least one; blocks in which nothing moved are included, because the cursor moves to the last of them. */
  readonly blocks: readonly BlockFacts[]
}

/**
 * Batches of `blocks`, which must follow `from` without a gap.
 * @throws ChainFault `broken` where they do not, and what `blocks` throws; the blocks read before are yielded first
 */
export async function* batchesOf(
  from: BlockRef,
  blocks: AsyncIterable<BlockFacts>,
  elapsed: () => number = () => performance.now(),
): AsyncGenerator<Batch, void, undefined> {
  const failure: { error?: unknown } = {}
  let batch = emptyBatch(from, elapsed())
  try {
    for await (const block of blocks) {
      const broken = breakBetween(batch.blocks.at(-1) ?? batch.from, block)
      if (broken !== null) throw new ChainFault('broken', broken)
      batch.movements += block.movements.length
      batch.blocks.push(block)
      if (!isFull(batch, elapsed())) continue
      yield batch
      batch = emptyBatch({ number: block.number, id: block.id }, elapsed())
    }
  } catch (error) {
    failure.error = error
  }
  if (batch.blocks.length > 0) yield batch
  if ('error' in failure) throw failure.error
}

function emptyBatch(from: BlockRef, startedAt: number) {
  const blocks: BlockFacts[] = []
  return { from, blocks, movements: 0, startedAt }
}

function isFull(batch: ReturnType<typeof emptyBatch>, now: number): boolean {
  return (
    batch.blocks.length >= BATCH_BLOCKS ||
    batch.movements >= BATCH_MOVEMENTS ||
    now - batch.startedAt >= BATCH_MS
  )
}
