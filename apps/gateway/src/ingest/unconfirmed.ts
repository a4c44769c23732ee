/**
 * Reads the blocks above the solid one for transfers on their way. They may be replaced at any moment; nothing here is
 * money. At most {@link WINDOW} blocks are kept, each fetched once as long as it stands.
 */
import type { Database } from '@aval/db'
import type { NodeClient, TronAddress } from '@aval/tron'
import { readBlock } from '../chain/agreement.ts'
import type { BlockFacts, BlockRef } from '../chain/block.rules.ts'
import { ChainFault } from '../chain/nodes.ts'
import { verdictOf } from './classify.rules.ts'
import { findOwnAddresses, type UnconfirmedTransfer } from './ingest.sql.ts'

const WINDOW = 30

interface RecentBlock {
  readonly id: string
  readonly transfers: readonly UnconfirmedTransfer[]
  readonly txids: readonly string[]
}

export function createUnconfirmedReader(db: Database, usdt: TronAddress, hot: TronAddress) {
  // Always a chain without gaps, up to the head of the last poll.
  const recent = new Map<number, RecentBlock>()
  /**
   * Follows the head: the transfers, and the block of each transaction that may be one of ours. Null when the chain
   * changed meanwhile: the next poll reads it.
   * @throws NodeError, and what the database throws
   */
  return async (node: NodeClient, head: BlockRef, solid: number) => {
    const lowest = Math.max(solid, head.number - WINDOW, 0) + 1
    for (const number of [...recent.keys()]) {
      if (number < lowest || number > head.number) recent.delete(number)
    }
    const fresh = await readDown((number) => readHeadBlock(node, number, hot), head, lowest, recent)
    if (fresh === null) return null
    const found = await transfersIn(db, usdt, fresh)
    for (const { number, id, outcomes } of fresh) {
      const txids = outcomes.map((each) => each.txid)
      recent.set(number, { id, transfers: found.filter((each) => each.block === number), txids })
    }
    return {
      transfers: [...recent.values()].flatMap(({ transfers }) => transfers),
      blocks: new Map(
        [...recent].flatMap(([number, { txids }]) => txids.map((txid) => [txid, number] as const)),
      ),
    }
  }
}

/** From the head down to a known block, or to `lowest`: the new blocks, or null when they do not link. */
async function readDown(
  read: (number: number) => Promise<BlockFacts | null>,
  head: BlockRef,
  lowest: number,
  known: ReadonlyMap<number, RecentBlock>,
): Promise<BlockFacts[] | null> {
  const fresh: BlockFacts[] = []
  let expected = head.id
  for (let number = head.number; number >= lowest && known.get(number)?.id !== expected; number -= 1) {
    const block = await read(number)
    if (block === null || block.id !== expected) return null
    fresh.push(block)
    expected = block.parentId
  }
  return fresh
}

async function readHeadBlock(node: NodeClient, number: number, hot: TronAddress): Promise<BlockFacts | null> {
  try {
    return await readBlock(node, number, 'head', hot)
  } catch (error) {
    if (error instanceof ChainFault) return null
    throw error
  }
}

async function transfersIn(
  db: Database,
  usdt: TronAddress,
  blocks: readonly BlockFacts[],
): Promise<UnconfirmedTransfer[]> {
  const credits = blocks.flatMap(({ number, movements }) =>
    movements
      .filter((each) => verdictOf(each, usdt) === 'credit')
      .map((each) => ({ ...each, block: number })),
  )
  const own = await findOwnAddresses(db, [...new Set(credits.map((each) => each.to))])
  return credits.flatMap(({ txid, position, to, block, value }) => {
    const address = own.get(to)
    if (address?.role !== 'deposit' || address.memberId === null) return []
    return [{ txid, position, memberId: address.memberId, block, value }]
  })
}
