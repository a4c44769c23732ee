/** The loop around the looks: when the next one is due, and what happens when one fails. */
import { NodeError } from '@aval/tron'
import { backoffMs } from '../core/backoff.rules.ts'
import { describeError, type Log } from '../core/log.ts'
import { pause } from '../core/pause.ts'
import { ChainFault } from './fault.ts'
import type { Follower, Look } from './follower.ts'
import { type Nodes, NodesSilent } from './nodes.ts'
import { CursorMoved } from './record.ts'

export interface FollowOptions {
  readonly follower: Follower
  readonly nodes: Nodes
  readonly log: Log
  readonly pollMs: number
  /** The longest pause after failures. */
  readonly limitMs: number
  /** Called after every look: with what it saw, or null when it failed. */
  readonly onLook: (look: Look | null) => void
}

/** How often the log says where the reading stands while there is nothing to tell. */
const PULSE_MS = 60_000

/** Looks until the signal; a failing node or database is waited out, never the end. */
export async function follow(options: FollowOptions, signal: AbortSignal): Promise<void> {
  const { follower, nodes, log, pollMs, limitMs } = options
  const tell = createPulse(log)
  let failures = 0
  while (!signal.aborted) {
    let waitMs = pollMs
    let seen: Look | null = null
    try {
      seen = await follower.look(nodes)
      if (failures > 0) log.info('follow.recovered', { failures })
      failures = 0
      if (seen.scanned < seen.solid) waitMs = 0
      tell(seen)
    } catch (error) {
      failures += 1
      waitMs = backoffMs(failures, pollMs, limitMs)
      log.error('follow.failed', { kind: kindOf(error), error: describeError(error), failures, waitMs })
    }
    options.onLook(seen)
    await pause(waitMs, signal)
  }
}

function kindOf(error: unknown): string {
  if (error instanceof NodeError) return `node.${error.code}`
  if (error instanceof NodesSilent) return 'node.too_few'
  if (error instanceof ChainFault) return `chain.${error.code}`
  return error instanceof CursorMoved ? 'cursor' : 'database'
}

function createPulse(log: Log): (look: Look) => void {
  let due = 0
  let nodeBehind = false
  return ({ head, solid, scanned }) => {
    const behind = solid < scanned
    if (behind && !nodeBehind) log.warn('follow.node_behind', { head, solid, scanned })
    nodeBehind = behind
    if (performance.now() < due) return
    due = performance.now() + PULSE_MS
    log.info('follow.at', { head, solid, scanned })
  }
}
