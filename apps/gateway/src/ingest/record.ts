/**
 * Groups the solid chain into batches and records what each means to us, together with how far the chain is read. A batch
 * ends after BATCH_BLOCKS blocks, BATCH_MOVEMENTS movements (to any address) or BATCH_MS, whichever comes first, and where
 * reading failed.
 */
import { type Database, inTransaction, type Tx } from '@aval/db'
import { inSpan, isTracing, recordSpan } from '@aval/tracing'
import type { TronAddress } from '@aval/tron'
import { type BlockFacts, type BlockRef, breakBetween } from '../chain/block.rules.ts'
import { moveCursor } from '../chain/cursor.sql.ts'
import { ChainFault } from '../chain/nodes.ts'
import type { Log } from '../core/log.ts'
import type { Purpose } from '../core/outgoing-transfer.rules.ts'
import {
  addressesIn,
  type Classified,
  classify,
  isAnomaly,
  type Known,
  outflowsOf,
} from './classify.rules.ts'
import {
  adoptTransfer,
  deleteUnconfirmedThrough,
  expireTransfers,
  findOpenTransfers,
  findOwnAddresses,
  findTraces,
  isRestoring,
  recordIncoming,
  recordOutflows,
  settleTransfers,
} from './ingest.sql.ts'

export interface RecordContext {
  readonly db: Database
  readonly network: string
  readonly usdt: TronAddress
  readonly log: Log
}

/** Another process moved the cursor: what this one knows of it is out of date. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved'
}

/** Rolls back the transaction that found it. */
class Disputed extends Error {
  readonly block: number

  constructor(block: number, txid: string) {
    super(`block ${block} and its receipt of ${txid} disagree`)
    this.block = block
  }
}

/**
 * Records a batch, whole or not at all, and gives the cursor after it: incoming transfers, the ends of our outgoing ones,
 * and unexplained outflows. Only the process that moves the cursor records, so nothing is recorded twice.
 *
 * An outgoing transfer expires here too: it can enter a block only while that block's parent is older than its expiration.
 * Solid blocks are read without gaps, so once the cursor is at a block newer than the expiration, no block can have it.
 * @throws ChainFault `disputed` at a block that contradicts its receipts about a transfer of ours; the blocks before it
 * are recorded then
 * @throws CursorMoved and what the database throws
 */
export async function recordBatch(context: RecordContext, batch: Batch): Promise<BlockRef> {
  try {
    return await store(context, batch)
  } catch (error) {
    if (!(error instanceof Disputed)) throw error
    const before = batch.blocks.filter((block) => block.number < error.block)
    if (before.length > 0) await store(context, { ...batch, blocks: before })
    throw new ChainFault('disputed', error.message)
  }
}

/** In a span, if there was anything of ours: deposits are credited in its trace. */
async function store(context: RecordContext, { from, blocks }: Batch): Promise<BlockRef> {
  const to = blocks.at(-1)
  if (to === undefined) return from
  const began = new Date()
  const recorded = await inSpan('ingest.record', { parent: null }, async (span) => {
    const found = await storeBatch(context, from, to, blocks)
    if (found.incoming.length === 0) span.drop()
    span.set('aval.block', to.number)
    span.set('aval.deposits', found.incoming.length)
    return found
  })
  if (isTracing()) await traceSettled(context.db, recorded.settlements, began)
  logRecorded(context, recorded)
  return { number: to.number, id: to.id }
}

/** That a transfer of ours ended belongs to the trace of its withdrawal. */
async function traceSettled(
  db: Database,
  settlements: Classified['settlements'],
  since: Date,
): Promise<void> {
  if (settlements.length === 0) return
  const traces = await findTraces(
    db,
    settlements.map(({ txid }) => txid),
  )
  for (const { txid, block, success } of settlements) {
    const parent = traces.get(txid)
    const attributes = { 'aval.txid': txid, 'aval.block': block, 'aval.success': success }
    if (parent !== undefined) recordSpan('outgoing.settle', { parent, since, attributes })
  }
}

function storeBatch(
  context: RecordContext,
  from: BlockRef,
  to: BlockFacts,
  blocks: Batch['blocks'],
): Promise<Classified & { readonly expired: readonly string[] }> {
  const { db, network } = context
  return inTransaction(db, async (tx) => {
    // First, because it locks the cursor: from here on no address of ours can be added unseen.
    const verdict = await moveCursor(tx, network, blocks)
    if (verdict === 'elsewhere') throw new CursorMoved(`the cursor no longer stands at block ${from.number}`)
    if (verdict !== 'moved') throw new ChainFault('broken', notMoved(verdict, from, to))
    const found = await classifyBatch(tx, context, blocks)
    await settleTransfers(tx, found.settlements)
    const expired = await expireTransfers(tx, network, to.at)
    await recordOutflows(tx, found.outflows)
    if (found.incoming.length === 0) return { ...found, expired }
    const isNew = await recordIncoming(tx, found.incoming)
    await deleteUnconfirmedThrough(tx, to.number)
    return { ...found, expired, incoming: found.incoming.filter((_, index) => isNew[index] === true) }
  })
}

/** By a chain that is wrong, or a clock of the database that is. */
const notMoved = (verdict: string, from: BlockRef, { number, at }: BlockFacts): string =>
  `blocks ${from.number + 1} to ${number}, ${at.toISOString()}, are not taken by the database: ${verdict.replaceAll('_', ' ')}`

async function classifyBatch(tx: Tx, { usdt }: RecordContext, blocks: Batch['blocks']): Promise<Classified> {
  const own = await findOwnAddresses(tx, addressesIn(blocks, usdt))
  // A transfer is stored before it is signed, and signed before any block can have it: none of these is missing here.
  const open = blocks.some(({ outcomes }) => outcomes.length > 0) ? await findOpenTransfers(tx) : new Map()
  const known = { usdt, own, open }
  const found = classify(blocks, { ...known, adopted: await adopt(tx, blocks, known) })
  if ('txid' in found) throw new Disputed(found.block, found.txid)
  return found
}

/**
 * After a restore: what the chain shows and the database forgot is recorded as transfers of ours, and booked like any other.
 * @throws what the database throws while the signer has not said what it signed: the batch is read again then
 */
async function adopt(tx: Tx, blocks: Batch['blocks'], known: Known) {
  const adopted = new Map<string, Purpose>()
  const outflows = outflowsOf(blocks, known)
  if (outflows.length === 0 || !(await isRestoring(tx))) return adopted
  const fees = new Map(
    blocks.flatMap(({ outcomes }) => outcomes.map(({ txid, fee }) => [txid, fee] as const)),
  )
  for (const outflow of outflows) {
    const purpose = await adoptTransfer(tx, outflow, fees.get(outflow.txid) ?? 0n)
    if (purpose !== null) adopted.set(outflow.txid, purpose)
  }
  return adopted
}

function logRecorded(
  { log, usdt }: RecordContext,
  { incoming, settlements, outflows, expired }: Classified & { readonly expired: readonly string[] },
): void {
  for (const transfer of incoming) {
    const { txid, position, verdict, block, contract, to, value } = transfer
    const fields = { txid, position, verdict, block, contract, to, value }
    if (isAnomaly(transfer, usdt)) log.error('incoming.anomaly', fields)
    else log.info('incoming.recorded', fields)
  }
  for (const { txid, purpose, block, success, result, arrived, fee } of settlements) {
    const fields = { txid, purpose, block, result, arrived, fee }
    if (success) log.info('outgoing.settled', fields)
    else log.error('outgoing.failed', fields)
  }
  for (const txid of expired) log.warn('outgoing.expired', { txid })
  for (const { txid, position, block, from, to, value } of outflows) {
    log.error('outflow.unexplained', { txid, position, block, from, to, value })
  }
}

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
