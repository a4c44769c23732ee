/**
 * The configured nodes, and how many of them must say the same before it counts: one alone is trusted; of two, both; of
 * more, a majority. None of those who answer may contradict.
 */
import { createNodeClient, type NodeClient, NodeError } from '@aval/tron'
import { describeError, type Log } from '../core/log.ts'
import { ChainFault } from './fault.ts'

export interface Nodes {
  readonly quorum: number
  /** Those to ask now. One that failed is left out for some rounds, where the others are enough. */
  able(): readonly NodeClient[]
  /** A round later: those to ask now. */
  next(): readonly NodeClient[]
  /** How a node did in this round; null where it answered. */
  heard(node: NodeClient, error: unknown): void
}

/** How long one answer may take before the node counts as failed. */
const TIMEOUT_MS = 8_000
/** The most rounds that a failing node is left out. */
const LONGEST_REST = 64

export function connectNodes(urls: readonly string[], log: Log): Nodes {
  return nodesOf(
    urls.map((url) => createNodeClient({ url, timeoutMs: TIMEOUT_MS })),
    log,
  )
}

/** @throws RangeError when there is no node */
export function nodesOf(clients: readonly NodeClient[], log?: Log): Nodes {
  if (clients.length === 0) throw new RangeError('no node is configured')
  const quorum = clients.length <= 2 ? clients.length : Math.floor(clients.length / 2) + 1
  const trouble = new Map<NodeClient, { failures: number; rest: number }>()
  const able = () => {
    const rested = clients.filter((each) => (trouble.get(each)?.rest ?? 0) <= 0)
    return rested.length >= quorum ? rested : clients
  }
  return {
    quorum,
    able,
    next() {
      for (const each of trouble.values()) each.rest -= 1
      return able()
    },
    heard(node, error) {
      const before = trouble.get(node)?.failures ?? 0
      if (error === null) {
        if (before > 0) log?.info('node.recovered', { node: nodeName(node), failures: before })
        trouble.delete(node)
        return
      }
      if (before === 0) log?.warn('node.failed', { node: nodeName(node), error: describeError(error) })
      const failures = before + 1
      trouble.set(node, { failures, rest: Math.min(2 ** Math.min(failures, 10), LONGEST_REST) })
    },
  }
}

/** The node's name for the log: its address may carry a key in path or query. */
export function nodeName(node: NodeClient): string {
  return URL.parse(node.url)?.host ?? 'unknown'
}

/** Fewer nodes answered than are needed. */
export class NodesSilent extends Error {
  override readonly name = 'NodesSilent'
}

export interface Answered<Answer> {
  readonly node: NodeClient
  readonly answer: Answer
}

/**
 * Asks all of them at once, and gives the answers of those that have one.
 * @throws NodesSilent when fewer than `quorum` answered, or the one node's own error; and what is no fault of a node
 */
export async function askAll<Answer>(
  clients: readonly NodeClient[],
  quorum: number,
  ask: (node: NodeClient) => Promise<Answer>,
  heard?: Nodes['heard'],
): Promise<Answered<Answer>[]> {
  const answers = await Promise.allSettled(clients.map((node) => ask(node)))
  const answered: Answered<Answer>[] = []
  const failed: { node: NodeClient; error: unknown }[] = []
  for (const [index, node] of clients.entries()) {
    const outcome = answers[index]
    if (outcome?.status === 'fulfilled') {
      answered.push({ node, answer: outcome.value })
      heard?.(node, null)
    } else {
      const error: unknown = outcome?.reason
      if (!(error instanceof NodeError) && !(error instanceof ChainFault)) throw error
      failed.push({ node, error })
      heard?.(node, error)
    }
  }
  if (answered.length >= quorum) return answered
  if (clients.length === 1) throw failed[0]?.error
  const told = failed.map(({ node, error }) => `${nodeName(node)}: ${describeError(error)}`)
  throw new NodesSilent(`${answered.length} of ${quorum} nodes that are needed answered; ${told.join('; ')}`)
}
