/**
 * The blocks above the solid one, as far as they concern us: payments that are on their way. They may be replaced at any
 * moment; nothing here is money. At most {@link WINDOW} blocks are kept, each fetched once as long as it stands.
 */
import type { Database } from '@aval/db'
import type { NodeClient, TronAddress } from '@aval/tron'
import { findOurs, type Sighting } from '../ingest/deposits.sql.ts'
import { judge } from '../ingest/verdict.rules.ts'
import type { BlockRef } from './continuity.rules.ts'
import type { BlockFacts } from './facts.rules.ts'
import { ChainFault } from './fault.ts'
import { readBlock } from './read-block.ts'

const WINDOW = 30

interface SeenBlock {
  readonly id: string
  readonly sightings: readonly Sighting[]
  readonly txids: readonly string[]
}

export interface HeadView {
  readonly sightings: readonly Sighting[]
  /** The block of each transaction that may be one of ours. */
  readonly blocks: ReadonlyMap<string, number>
}

export interface HeadWindow {
  /**
   * Follows the head and gives all that is in view, or null when the chain changed while it was read: then the next look
   * will do.
   * @throws NodeError, and what the database throws
   */
  look(node: NodeClient, head: BlockRef, solid: number): Promise<HeadView | null>
}

export function createHeadWindow(db: Database, usdt: TronAddress, payer: TronAddress): HeadWindow {
  // Always a chain without gaps, from its lowest block to the head of the last look.
  const seen = new Map<number, SeenBlock>()
  return {
    async look(node, head, solid) {
      const lowest = Math.max(solid, head.number - WINDOW, 0) + 1
      for (const number of [...seen.keys()]) {
        if (number < lowest || number > head.number) seen.delete(number)
      }
      const fresh = await readDown((number) => readHeadBlock(node, number, payer), head, lowest, seen)
      if (fresh === null) return null
      const sightings = await sightingsOf(db, usdt, fresh)
      for (const { number, id, outcomes } of fresh) {
        const txids = outcomes.map((each) => each.txid)
        seen.set(number, { id, sightings: sightings.filter((each) => each.block === number), txids })
      }
      return {
        sightings: [...seen.values()].flatMap((block) => block.sightings),
        blocks: new Map(
          [...seen].flatMap(([number, { txids }]) => txids.map((txid) => [txid, number] as const)),
        ),
      }
    },
  }
}

/** From the head down to a block we have seen, or to `lowest`: what is new, or null when it does not link. */
async function readDown(
  read: (number: number) => Promise<BlockFacts | null>,
  head: BlockRef,
  lowest: number,
  seen: ReadonlyMap<number, SeenBlock>,
): Promise<BlockFacts[] | null> {
  const fresh: BlockFacts[] = []
  let expected = head.id
  for (let number = head.number; number >= lowest && seen.get(number)?.id !== expected; number -= 1) {
    const block = await read(number)
    if (block === null || block.id !== expected) return null
    fresh.push(block)
    expected = block.parentId
  }
  return fresh
}

async function readHeadBlock(
  node: NodeClient,
  number: number,
  payer: TronAddress,
): Promise<BlockFacts | null> {
  try {
    return await readBlock(node, number, 'head', payer)
  } catch (error) {
    if (error instanceof ChainFault) return null
    throw error
  }
}

async function sightingsOf(
  db: Database,
  usdt: TronAddress,
  blocks: readonly BlockFacts[],
): Promise<Sighting[]> {
  const payments = blocks.flatMap(({ number, movements }) =>
    movements.filter((each) => judge(each, usdt) === 'credit').map((each) => ({ ...each, block: number })),
  )
  const owners = await findOurs(db, [...new Set(payments.map((each) => each.to))])
  return payments.flatMap(({ txid, position, to, block, value }) => {
    const owner = owners.get(to)
    return owner?.role === 'deposit' ? [{ txid, position, memberId: owner.memberId, block, value }] : []
  })
}
