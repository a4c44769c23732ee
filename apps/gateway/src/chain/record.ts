/** Writes down what a batch of solid blocks means to us, together with how far the chain is read. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import type { Log } from '../core/log.ts'
import { dropSightingsThrough, findOurs, recordOutflows, recordTransfers } from '../ingest/deposits.sql.ts'
import { isAnomaly, type Transfer } from '../ingest/verdict.rules.ts'
import { findLive, settlePayments } from '../outgoing/payments.sql.ts'
import type { Settlement } from '../outgoing/settlement.rules.ts'
import type { Batch } from './batches.ts'
import type { BlockRef } from './continuity.rules.ts'
import { moveCursor } from './cursor.sql.ts'
import { ChainFault } from './fault.ts'
import { type Findings, findingsOf, type Outflow, partiesOf } from './findings.rules.ts'

export interface RecordContext {
  readonly db: Database
  readonly network: string
  readonly usdt: TronAddress
  readonly log: Log
  /** Milliseconds since some moment, for pacing only; `performance.now` when not given. */
  readonly elapsed?: () => number
}

/** Somebody else moved the cursor: what we know of it is out of date. */
export class CursorMoved extends Error {
  override readonly name = 'CursorMoved'
}

/** Undoes the transaction that found it. */
class Disputed extends Error {
  readonly block: number

  constructor(block: number, txid: string) {
    super(`block ${block} and its receipt of ${txid} disagree`)
    this.block = block
  }
}

/**
 * Records a batch, whole or not at all, and gives the cursor after it: transfers to us, payments of ours that it settles,
 * and what left our addresses without one. Whoever moves the cursor records, so nothing is recorded twice.
 * @throws ChainFault `disputed` at a block whose answers contradict each other about a payment to us or of ours; what lies
 * before that block is recorded then
 * @throws CursorMoved and what the database throws
 */
export async function record(context: RecordContext, batch: Batch): Promise<BlockRef> {
  try {
    return await store(context, batch)
  } catch (error) {
    if (!(error instanceof Disputed)) throw error
    const before = batch.blocks.filter((block) => block.number < error.block)
    if (before.length > 0) await store(context, { ...batch, blocks: before })
    throw new ChainFault('disputed', error.message)
  }
}

async function store(context: RecordContext, { from, blocks }: Batch): Promise<BlockRef> {
  const to = blocks.at(-1)
  if (to === undefined) return from
  const { transfers, settlements, outflows } = await inTransaction(context.db, async (tx) => {
    // First of all: from here on nobody adds an address of ours unseen.
    if (!(await moveCursor(tx, context.network, from, to))) {
      throw new CursorMoved(`the cursor no longer stands at block ${from.number}`)
    }
    const findings = await look(tx, context, blocks)
    await settlePayments(tx, findings.settlements)
    await recordOutflows(tx, findings.outflows)
    if (findings.transfers.length === 0) return findings
    const recorded = await recordTransfers(tx, findings.transfers)
    await dropSightingsThrough(tx, to.number)
    return { ...findings, transfers: findings.transfers.filter((_, index) => recorded[index] === true) }
  })
  for (const transfer of transfers) tellTransfer(context, transfer)
  for (const settlement of settlements) tellSettlement(context, settlement)
  for (const outflow of outflows) tellOutflow(context, outflow)
  return { number: to.number, id: to.id }
}

async function look(tx: Tx, { usdt }: RecordContext, blocks: Batch['blocks']): Promise<Findings> {
  const ours = await findOurs(tx, partiesOf(blocks, usdt))
  // A payment is stored before it is signed, and signed before any block can have it: none of these is missing here.
  const live = blocks.some((block) => block.outcomes.length > 0) ? await findLive(tx) : new Map()
  const findings = findingsOf(blocks, { usdt, ours, live })
  if ('txid' in findings) throw new Disputed(findings.block, findings.txid)
  return findings
}

function tellTransfer({ log, usdt }: RecordContext, transfer: Transfer): void {
  const { txid, position, verdict, block, contract, to, value } = transfer
  const facts = { txid, position, verdict, block, contract, to, value }
  if (isAnomaly(transfer, usdt)) log.error('transfer.anomaly', facts)
  else log.info('transfer.recorded', facts)
}

function tellSettlement({ log }: RecordContext, settlement: Settlement): void {
  const { txid, purpose, block, success, result, arrived, fee } = settlement
  const facts = { txid, purpose, block, result, arrived, fee }
  if (success) log.info('payment.settled', facts)
  else log.error('payment.failed', facts)
}

function tellOutflow({ log }: RecordContext, { txid, position, block, from, to, value }: Outflow): void {
  log.error('outflow.unexplained', { txid, position, block, from, to, value })
}
