/**
 * The blocks above the solid one, as far as they concern us: payments that are on their way. They may be replaced at any
 * moment; nothing here is money. At most {@link WINDOW} blocks are kept, each fetched once as long as it stands.
 */
import type { Database } from '@aval/db'
import type { NodeClient, TronAddress } from '@aval/tron'
import { findOurs, type Sighting } from '../deposits/deposits.sql.ts'
import { judge } from '../deposits/verdict.rules.ts'
import type { BlockRef } from './continuity.rules.ts'
import { ChainFault } from './fault.ts'
import { type BlockFacts, readBlock } from './read-block.ts'

const WINDOW = 30

interface SeenBlock {
  readonly id: string
  readonly sightings: readonly Sighting[]
}

export interface HeadWindow {
  /**
   * Follows the head and gives all sightings, or null when the chain changed while it was read: then the next look will do.
   * @throws NodeError, and what the database throws
   */
  look(node: NodeClient, head: BlockRef, solid: number): Promise<readonly Sighting[] | null>
}

export function createHeadWindow(db: Database, usdt: TronAddress): HeadWindow {
  // Always a chain without gaps, from its lowest block to the head of the last look.
  const seen = new Map<number, SeenBlock>()
  return {
    async look(node, head, solid) {
      const lowest = Math.max(solid, head.number - WINDOW, 0) + 1
      for (const number of [...seen.keys()]) {
        if (number < lowest || number > head.number) seen.delete(number)
      }
      const fresh = await readDown(node, head, lowest, seen)
      if (fresh === null) return null
      const sightings = await sightingsOf(db, usdt, fresh)
      for (const { number, id } of fresh) {
        seen.set(number, { id, sightings: sightings.filter((each) => each.block === number) })
      }
      return [...seen.values()].flatMap((block) => block.sightings)
    },
  }
}

/** From the head down to a block we have seen, or to `lowest`: what is new, or null when it does not link. */
async function readDown(
  node: NodeClient,
  head: BlockRef,
  lowest: number,
  seen: ReadonlyMap<number, SeenBlock>,
): Promise<BlockFacts[] | null> {
  const fresh: BlockFacts[] = []
  let expected = head.id
  for (let number = head.number; number >= lowest && seen.get(number)?.id !== expected; number -= 1) {
    const block = await readHeadBlock(node, number)
    if (block === null || block.id !== expected) return null
    fresh.push(block)
    expected = block.parentId
  }
  return fresh
}

async function readHeadBlock(node: NodeClient, number: number): Promise<BlockFacts | null> {
  try {
    return await readBlock(node, number, 'head')
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
    const memberId = owners.get(to)
    return memberId === undefined ? [] : [{ txid, position, memberId, block, value }]
  })
}
