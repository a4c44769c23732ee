/** The loop around the looks: when the next one is due, and what happens when one fails. */
import { NodeError } from '@aval/tron'
import { backoffMs } from '../core/backoff.rules.ts'
import { describeError, type Log } from '../core/log.ts'
import { pause } from '../core/pause.ts'
import { ChainFault } from './fault.ts'
import type { Follower, Look } from './follower.ts'
import { type Nodes, nodeName } from './nodes.ts'
import { CursorMoved } from './record.ts'

export interface FollowOptions {
  readonly follower: Follower
  readonly nodes: Nodes
  readonly log: Log
  readonly pollMs: number
  /** The longest pause after failures. */
  readonly limitMs: number
  /** Called after every look, whether it succeeded or not. */
  readonly onLook: () => void
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
    try {
      const look = await follower.look(nodes.current())
      if (failures > 0) log.info('follow.recovered', { failures })
      failures = 0
      if (look.scanned < look.solid) waitMs = 0
      tell(look)
    } catch (error) {
      failures += 1
      waitMs = backoffMs(failures, pollMs, limitMs)
      const node = nodeName(nodes.current())
      log.error('follow.failed', { kind: kindOf(error), error: describeError(error), node, failures, waitMs })
      if (error instanceof NodeError || error instanceof ChainFault) nodes.rotate()
    }
    options.onLook()
    await pause(waitMs, signal)
  }
}

function kindOf(error: unknown): string {
  if (error instanceof NodeError) return `node.${error.code}`
  if (error instanceof ChainFault) return `chain.${error.code}`
  return error instanceof CursorMoved ? 'cursor' : 'database'
}

function createPulse(log: Log): (look: Look) => void {
  let due = 0
  let nodeBehind = false
  return (look) => {
    const behind = look.solid < look.scanned
    if (behind && !nodeBehind) log.warn('follow.node_behind', { ...look })
    nodeBehind = behind
    if (performance.now() < due) return
    due = performance.now() + PULSE_MS
    log.info('follow.at', { ...look })
  }
}
