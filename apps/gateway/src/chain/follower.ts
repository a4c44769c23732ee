/**
 * Follows the chain, one look at a time: asks where it stands, reads what became solid, then what is on its way.
 *
 * Terms. A *look* is one round. The *cursor* is the last solid block whose transfers are recorded. *Behind* means that
 * there is more solid chain to read right now.
 */
import type { Database } from '@aval/db'
import { inTransaction } from '@aval/db'
import type { TronAddress } from '@aval/tron'
import type { Log } from '../core/log.ts'
import { replaceSightings } from '../ingest/deposits.sql.ts'
import { noteSeen } from '../outgoing/payments.sql.ts'
import { type Heads, readAgreed, readHeads } from './agreement.ts'
import type { BlockRef } from './continuity.rules.ts'
import { findCursor, insertCursor, saveLook } from './cursor.sql.ts'
import { ChainFault } from './fault.ts'
import { createHeadWindow } from './head-window.ts'
import type { Nodes } from './nodes.ts'
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
  /** The hot wallet: what it pays is looked at whatever it is. */
  readonly hot: TronAddress
  readonly log: Log
  /** Milliseconds since some moment, for pacing only; `performance.now` when not given. */
  readonly elapsed?: () => number
}

export interface Look {
  readonly head: number
  readonly headId: string
  /** The chain's own clock. */
  readonly headAt: Date
  readonly solid: number
  readonly solidId: string
  readonly scanned: number
}

/** Where the last look left off. */
interface Standing extends BlockRef {
  /** The blocks of which the database was told, and until when that will do. */
  readonly told: string
  readonly until: number
}

export interface Follower {
  /**
   * One look through these nodes. After an error the next look starts from what the database says.
   * @throws NodeError, NodesSilent, ChainFault, CursorMoved and what the database throws
   */
  look(nodes: Nodes): Promise<Look>
}

export function createFollower(options: FollowerOptions): Follower {
  const { db, network, usdt, hot, elapsed = () => performance.now() } = options
  const window = createHeadWindow(db, usdt, hot)
  let known: Standing | null = null

  const advance = async (heads: Heads, quorum: number, from: BlockRef): Promise<BlockRef> => {
    const until = elapsed() + SCAN_MS
    let cursor = from
    for await (const stored of scan(options, { heads, quorum, payer: hot }, from)) {
      cursor = stored
      if (elapsed() > until) break
    }
    return cursor
  }

  const round = async (nodes: Nodes, start: Standing | null): Promise<{ look: Look; standing: Standing }> => {
    const heads = await readHeads(nodes)
    const { head, solid } = heads
    const from = start ?? (await cursorOf(options, heads, nodes.quorum))
    checkStanding(from, heads)
    const cursor = await advance(heads, nodes.quorum, from)
    const view = await window.look(heads.headOf, head, solid.number)
    const look = {
      head: head.number,
      headId: head.id,
      headAt: head.timestamp,
      solid: solid.number,
      solidId: solid.id,
      scanned: cursor.number,
    }
    const told = `${head.id} ${solid.id} ${cursor.id}`
    if (start?.told === told && elapsed() < start.until) return { look, standing: start }
    await inTransaction(db, async (tx) => {
      await saveLook(tx, network, look.head, look.solid)
      if (view === null) return
      await replaceSightings(tx, look, view.sightings)
      await noteSeen(tx, look, view.blocks)
    })
    const until = view === null ? 0 : elapsed() + UNWRITTEN_MS
    return { look, standing: { ...cursor, told, until } }
  }

  return {
    async look(nodes) {
      const start = known
      known = null
      const { look, standing } = await round(nodes, start)
      known = standing
      return look
    },
  }
}

/** A solid chain that was replaced below us is told before its next block is there. */
function checkStanding(cursor: BlockRef, { witnesses }: Heads): void {
  for (const { solid } of witnesses) {
    if (solid.number === cursor.number && solid.id !== cursor.id) {
      throw new ChainFault('broken', `block ${solid.number} is ${solid.id}, we had read ${cursor.id}`)
    }
  }
}

/** Where to go on. On a fresh database a cursor is made first, below the first block that is to be read. */
async function cursorOf(options: FollowerOptions, heads: Heads, quorum: number): Promise<BlockRef> {
  const { db, network, log } = options
  const found = await findCursor(db, network)
  if (found !== null) return found
  // The very first block moves nothing to anybody, so it is where reading everything begins.
  const first = await readAgreed(
    heads,
    quorum,
    options.startAt === 'first' ? 0 : heads.solid.number,
    options.hot,
  )
  const start =
    first.number === 0 ? { number: 0, id: first.id } : { number: first.number - 1, id: first.parentId }
  await insertCursor(db, network, start)
  log.info('cursor.created', { network, block: start.number })
  return (await findCursor(db, network)) ?? start
}
