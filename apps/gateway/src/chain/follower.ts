/**
 * Follows the chain, one look at a time: asks where it stands, reads what became solid, then what is on its way.
 *
 * Terms. A *look* is one round. The *cursor* is the last solid block whose transfers are recorded. *Behind* means that
 * there is more solid chain to read right now.
 */
import type { Database } from '@aval/db'
import { inTransaction } from '@aval/db'
import type { NodeClient, TronAddress } from '@aval/tron'
import type { Log } from '../core/log.ts'
import { replaceSightings } from '../deposits/deposits.sql.ts'
import type { BlockRef } from './continuity.rules.ts'
import { findCursor, insertCursor, saveLook } from './cursor.sql.ts'
import { ChainFault } from './fault.ts'
import { createHeadWindow } from './head-window.ts'
import { scan } from './scan.ts'

/** During a long catch-up the world still learns every so often where the chain stands. */
const SCAN_MS = 2_000
/** A look that saw nothing new writes nothing for so long; `seen_at` is never older while we look. */
const UNWRITTEN_MS = 10_000

export interface FollowerOptions {
  readonly db: Database
  /** The name under which the cursor is kept. */
  readonly network: string
  /** On a fresh database: from the very first block, or from the block that is solid now. */
  readonly startAt: 'first' | 'solid'
  readonly usdt: TronAddress
  readonly log: Log
}

export interface Look {
  readonly head: number
  readonly solid: number
  readonly scanned: number
}

/** Where the last look left off. */
interface Standing extends BlockRef {
  /** The blocks of which the database was told, and until when that will do. */
  readonly told: string
  readonly until: number
}

export interface Follower {
  /** One look through this node. After an error the next look starts from what the database says. */
  look(node: NodeClient): Promise<Look>
}

export function createFollower(options: FollowerOptions): Follower {
  const { db, network, usdt } = options
  const window = createHeadWindow(db, usdt)
  let known: Standing | null = null

  const advance = async (node: NodeClient, from: BlockRef, to: number): Promise<BlockRef> => {
    const until = performance.now() + SCAN_MS
    let cursor = from
    for await (const stored of scan(options, node, from, to)) {
      cursor = stored
      if (performance.now() > until) break
    }
    return cursor
  }

  const round = async (node: NodeClient, start: Standing | null): Promise<Standing & Look> => {
    const [answered, solid] = await Promise.all([node.headBlock(), node.solidBlock()])
    // Asked a moment apart, a chain that solidifies at once may answer a head that is already below.
    const head = answered.number < solid.number ? solid : answered
    const from = start ?? (await cursorOf(options, node, solid.number))
    const cursor = await advance(node, from, solid.number)
    const sightings = await window.look(node, head, solid.number)
    const look = { head: head.number, solid: solid.number, scanned: cursor.number }
    const told = `${head.id} ${solid.id} ${cursor.id}`
    if (start?.told === told && performance.now() < start.until) return { ...look, ...start }
    await inTransaction(db, async (tx) => {
      await saveLook(tx, network, look.head, look.solid)
      if (sightings !== null) await replaceSightings(tx, look, sightings)
    })
    const until = sightings === null ? 0 : performance.now() + UNWRITTEN_MS
    return { ...look, ...cursor, told, until }
  }

  return {
    async look(node) {
      const start = known
      known = null
      const { head, solid, scanned, ...standing } = await round(node, start)
      known = standing
      return { head, solid, scanned }
    },
  }
}

/** Where to go on. On a fresh database a cursor is made first, below the first block that is to be read. */
async function cursorOf(options: FollowerOptions, node: NodeClient, solid: number): Promise<BlockRef> {
  const { db, network, log } = options
  const found = await findCursor(db, network)
  if (found !== null) return found
  // The very first block moves nothing to anybody, so it is where reading everything begins.
  const first = await node.block(options.startAt === 'first' ? 0 : solid, 'solid')
  if (first === null) throw new ChainFault('incomplete', 'the block to start at is not there')
  const start =
    first.number === 0 ? { number: 0, id: first.id } : { number: first.number - 1, id: first.parentId }
  await insertCursor(db, network, start)
  log.info('cursor.created', { network, block: start.number })
  return (await findCursor(db, network)) ?? start
}
