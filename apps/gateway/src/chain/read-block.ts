/** Reads one block into facts. The node's answer is not kept. */
import type { Block, NodeClient, Receipt, TronAddress, View } from '@aval/tron'
import { mayHaveLogs, movementsOf, outcomesOf } from '../ingest/movements.rules.ts'
import type { BlockFacts } from './facts.rules.ts'
import { ChainFault } from './fault.ts'

/**
 * Reads a block and, where it ran code or `payer` paid something in it, its receipts.
 *
 * The very first block is an allocation, no payments, and nodes keep no receipts of it: only its link counts.
 * @throws NodeError
 * @throws ChainFault `incomplete` when the view lacks the block or any of its receipts
 */
export async function readBlock(
  node: NodeClient,
  number: number,
  view: View,
  payer: TronAddress,
): Promise<BlockFacts> {
  const block = await node.block(number, view)
  if (block === null) throw new ChainFault('incomplete', `block ${number} is not there`)
  const { id, parentId, timestamp } = block
  const link = { number, id, parentId, at: timestamp }
  if (number === 0) return { ...link, movements: [], outcomes: [] }
  const isWanted = mayHaveLogs(block) || block.transactions.some(({ from }) => from === payer)
  const receipts = isWanted ? await receiptsOf(node, block, view) : []
  return { ...link, movements: movementsOf(block, receipts), outcomes: outcomesOf(block, receipts) }
}

async function receiptsOf(node: NodeClient, block: Block, view: View): Promise<readonly Receipt[]> {
  const receipts = await node.blockReceipts(block.number, view)
  const { number, txids } = block
  const known = new Set(receipts.map((receipt) => receipt.txid))
  const complete = known.size === txids.length && txids.every((txid) => known.has(txid))
  if (!complete || receipts.length !== txids.length) {
    throw new ChainFault(
      'incomplete',
      `block ${number} has ${txids.length} transactions and ${receipts.length} receipts`,
    )
  }
  return receipts
}
