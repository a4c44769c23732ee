/** Writes down what a batch of solid blocks moved to our addresses, together with how far the chain is read. */
import { type Database, inTransaction } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import type { Log } from '../core/log.ts'
import { dropSightingsThrough, findOurs, recordTransfers, type Transfer } from '../deposits/deposits.sql.ts'
import type { Movement } from '../deposits/movements.rules.ts'
import { isAnomaly, judge, type Verdict } from '../deposits/verdict.rules.ts'
import type { Batch } from './batches.ts'
import type { BlockRef } from './continuity.rules.ts'
import { moveCursor } from './cursor.sql.ts'
import { ChainFault } from './fault.ts'
import type { BlockFacts } from './read-block.ts'

export interface RecordContext {
  readonly db: Database
  readonly network: string
  readonly usdt: TronAddress
  readonly log: Log
}

/** Somebody else moved the cursor: what we know of it is out of date. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved'
}

interface Judged {
  readonly block: BlockFacts
  readonly movement: Movement
  readonly verdict: Verdict | 'disputed'
}

/**
 * Records a batch, whole or not at all, and gives the cursor after it. Recording the same batch twice records nothing twice.
 * @throws ChainFault `disputed` at a block whose answers contradict each other about a payment to us; what lies before
 * that block is recorded then
 * @throws CursorMoved and what the database throws
 */
export async function record(context: RecordContext, batch: Batch): Promise<BlockRef> {
  const judged = await ours(context, batch.blocks)
  const disputed = judged.find((each) => each.verdict === 'disputed')
  if (disputed === undefined) {
    await store(context, batch.from, batch.to, judged.flatMap(transferOf))
    return batch.to
  }
  const { number, parentId } = disputed.block
  const before = judged.filter((each) => each.block.number < number)
  if (number - 1 > batch.from.number) {
    await store(context, batch.from, { number: number - 1, id: parentId }, before.flatMap(transferOf))
  }
  throw new ChainFault('disputed', `block ${number} and its receipt of ${disputed.movement.txid} disagree`)
}

/** The movements to our addresses with their verdicts; one look-up for all blocks. */
async function ours(context: RecordContext, blocks: readonly BlockFacts[]): Promise<Judged[]> {
  const candidates = new Set(blocks.flatMap((block) => block.movements.map((each) => each.to)))
  const owners = await findOurs(context.db, [...candidates])
  if (owners.size === 0) return []
  return blocks.flatMap((block) =>
    block.movements
      .filter((movement) => owners.has(movement.to))
      .map((movement) => ({ block, movement, verdict: judge(movement, context.usdt) })),
  )
}

function transferOf({ block, movement, verdict }: Judged): Transfer[] {
  return verdict === 'disputed' ? [] : [{ ...movement, verdict, block: block.number, at: block.at }]
}

async function store(
  context: RecordContext,
  from: BlockRef,
  to: BlockRef,
  transfers: readonly Transfer[],
): Promise<void> {
  const { db, network } = context
  const fresh = await inTransaction(db, async (tx) => {
    const recorded = transfers.length === 0 ? [] : await recordTransfers(tx, transfers)
    if (transfers.length > 0) await dropSightingsThrough(tx, to.number)
    if (!(await moveCursor(tx, network, from, to))) {
      throw new CursorMoved(`the cursor no longer stands at block ${from.number}`)
    }
    return transfers.filter((_, index) => recorded[index] === true)
  })
  for (const transfer of fresh) report(context, transfer)
}

function report({ log, usdt }: RecordContext, transfer: Transfer): void {
  const { txid, position, verdict, block, contract, to, value } = transfer
  const facts = { txid, position, verdict, block, contract, to, value }
  if (isAnomaly(transfer, usdt)) log.error('transfer.anomaly', facts)
  else log.info('transfer.recorded', facts)
}
