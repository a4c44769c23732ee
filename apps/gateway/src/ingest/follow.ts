/**
 * Follows the chain. A *poll* asks where the chain stands, records what became solid, then reads the newest blocks for
 * unconfirmed transfers. The *cursor* is the last solid block that is recorded.
 */
import { inTransaction } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import { type Heads, readAgreedBlock, readHeads } from '../chain/agreement.ts'
import type { BlockRef } from '../chain/block.rules.ts'
import { findCursor, insertCursor, saveHeads } from '../chain/cursor.sql.ts'
import type { ChainReading } from '../chain/health.rules.ts'
import { ChainFault, type Nodes } from '../chain/nodes.ts'
import { mapInOrder, range } from '../core/in-order.ts'
import { awaitsDeriving, noteSeenBlocks, replaceUnconfirmed } from './ingest.sql.ts'
import { batchesOf, type RecordContext, recordBatch } from './record.ts'
import { createUnconfirmedReader } from './unconfirmed.ts'

/** A long catch-up pauses this often, so that the database learns where the chain stands. */
const SCAN_MS = 2_000
/** A poll that found nothing new writes nothing for this long; `seen_at` is never older while the gateway runs. */
const UNWRITTEN_MS = 10_000
/** How many blocks are read at once. */
const IN_FLIGHT = 8
const PROGRESS_MS = 60_000

export interface SolidOptions extends RecordContext {
  /** The hot wallet: receipts of its transactions are always read. */
  readonly hot: TronAddress
  /** Milliseconds since some moment, for intervals only; `performance.now` when not given. */
  readonly elapsed?: () => number
}

export interface FollowerOptions extends SolidOptions {
  /** On a fresh database: from the very first block, or from the block that is solid now. */
  readonly startAt: 'first' | 'solid'
}

/** No block is read, so that no deposit to an address of an older version is passed by before the signer has derived the same. */
export class AddressesUnderived extends Error {
  override readonly name = 'AddressesUnderived'
}

/** Where the last poll ended. */
interface Position extends BlockRef {
  /** The blocks that are written to the database, and until when this need not be repeated. */
  readonly written: string
  readonly until: number
}

export type Follower = ReturnType<typeof createFollower>

export function createFollower(options: FollowerOptions) {
  const { db, network, usdt, hot, elapsed = () => performance.now() } = options
  const readUnconfirmed = createUnconfirmedReader(db, usdt, hot)
  const logProgress = createProgressLog(options)
  let known: Position | null = null
  let areDerived = false

  const readSolid = async (heads: Heads, from: BlockRef): Promise<BlockRef> => {
    const until = elapsed() + SCAN_MS
    let cursor = from
    for await (const recorded of recordSolid(options, heads, from)) {
      cursor = recorded
      if (elapsed() > until) break
    }
    return cursor
  }

  const pollFrom = async (nodes: Nodes, start: Position | null) => {
    areDerived ||= !(await awaitsDeriving(db))
    if (!areDerived) throw new AddressesUnderived('the signer has not derived all addresses of members yet')
    const heads = await readHeads(nodes)
    const { head, solid } = heads
    const from = start ?? (await cursorOf(options, heads))
    checkCursor(from, heads)
    const cursor = await readSolid(heads, from)
    // What is on its way is shown and no money: where calls are short, they are for what counts.
    const recent = nodes.paceMs() > 0 ? null : await readUnconfirmed(heads.headNode, head, solid.number)
    const reading = {
      head: head.number,
      headId: head.id,
      headAt: head.timestamp,
      solid: solid.number,
      solidId: solid.id,
      scanned: cursor.number,
    }
    const written = `${head.id} ${solid.id} ${cursor.id}`
    if (start?.written === written && elapsed() < start.until) return { reading, position: start }
    await inTransaction(db, async (tx) => {
      await saveHeads(tx, network, reading.head, reading.solid)
      if (recent === null) return
      await replaceUnconfirmed(tx, reading, recent.transfers)
      await noteSeenBlocks(tx, reading, recent.blocks)
    })
    const until = recent === null ? 0 : elapsed() + UNWRITTEN_MS
    return { reading, position: { ...cursor, written, until } }
  }

  return {
    /**
     * One poll of these nodes. After an error the next one starts from what the database says.
     * @throws AddressesUnderived, NodeError, TooFewNodes, ChainFault, CursorMoved and what the database throws
     */
    async poll(nodes: Nodes): Promise<ChainReading> {
      const start = known
      known = null
      const { reading, position } = await pollFrom(nodes, start)
      known = position
      logProgress(reading)
      return reading
    },
  }
}

/**
 * Records the solid blocks after `from`, and yields the cursor after each batch. The consumer may stop at any of them.
 * @throws NodeError, TooFewNodes, ChainFault, CursorMoved and what the database throws; the last cursor stays valid
 */
export async function* recordSolid(
  options: SolidOptions,
  heads: Heads,
  from: BlockRef,
): AsyncGenerator<BlockRef, void, undefined> {
  const numbers = range(from.number + 1, heads.solid.number)
  const read = (number: number) => readAgreedBlock(heads, number, options.hot)
  const blocks = mapInOrder(numbers, IN_FLIGHT, read)
  for await (const batch of batchesOf(from, blocks, options.elapsed)) yield await recordBatch(options, batch)
}

/** Notices a solid chain that was replaced at the cursor before its next block is there. */
function checkCursor(cursor: BlockRef, { witnesses }: Heads): void {
  for (const { solid } of witnesses) {
    if (solid.number === cursor.number && solid.id !== cursor.id) {
      throw new ChainFault('broken', `block ${solid.number} is ${solid.id}, we had read ${cursor.id}`)
    }
  }
}

/** Where to go on. On a fresh database a cursor is made first, below the first block to read. */
async function cursorOf(
  { db, network, startAt, hot, log }: FollowerOptions,
  heads: Heads,
): Promise<BlockRef> {
  const found = await findCursor(db, network)
  if (found !== null) return found
  const first = await readAgreedBlock(heads, startAt === 'first' ? 0 : heads.solid.number, hot)
  // The very first block moves nothing, so the cursor may start on it.
  const start =
    first.number === 0 ? { number: 0, id: first.id } : { number: first.number - 1, id: first.parentId }
  await insertCursor(db, network, start)
  log.info('cursor.created', { network, block: start.number })
  return (await findCursor(db, network)) ?? start
}

function createProgressLog({ log, elapsed = () => performance.now() }: FollowerOptions) {
  let due = elapsed()
  let wasBehind = false
  return ({ head, solid, scanned }: ChainReading): void => {
    const isBehind = solid < scanned
    if (isBehind && !wasBehind) log.warn('ingest.node_behind', { head, solid, scanned })
    wasBehind = isBehind
    if (elapsed() < due) return
    due = elapsed() + PROGRESS_MS
    log.info('ingest.progress', { head, solid, scanned })
  }
}
