/**
 * The configured nodes, and how many of them must agree: one alone is trusted; of two, both; of more, a majority. None of
 * those that answer may contradict.
 */
import { createNodeClient, type NodeClient, NodeError } from '@aval/tron'
import { describeError, type Log } from '../core/log.ts'

export interface Nodes {
  readonly quorum: number
  /** The nodes to ask now. One that failed is skipped for some rounds, where the others are enough. */
  available(): readonly NodeClient[]
  /** Starts a round, and gives the nodes to ask in it. */
  nextRound(): readonly NodeClient[]
  /** Notes how a node did in this round; null where it answered. */
  report(node: NodeClient, error: unknown): void
  /** One available node. */
  any(): NodeClient
}

/** How long one answer may take before the node counts as failed. */
const TIMEOUT_MS = 8_000
/** The most rounds that a failing node is skipped. */
const MOST_SKIPPED = 64

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
  const failing = new Map<NodeClient, { failures: number; skip: number }>()
  const available = () => {
    const usable = clients.filter((each) => (failing.get(each)?.skip ?? 0) <= 0)
    return usable.length >= quorum ? usable : clients
  }
  return {
    quorum,
    available,
    nextRound() {
      for (const each of failing.values()) each.skip -= 1
      return available()
    },
    any() {
      const [node] = available()
      if (node === undefined) throw new RangeError('no node is configured')
      return node
    },
    report(node, error) {
      const before = failing.get(node)?.failures ?? 0
      if (error === null) {
        if (before > 0) log?.info('node.recovered', { node: nodeName(node), failures: before })
        failing.delete(node)
        return
      }
      if (before === 0) log?.warn('node.failed', { node: nodeName(node), error: describeError(error) })
      const failures = before + 1
      failing.set(node, { failures, skip: Math.min(2 ** Math.min(failures, 10), MOST_SKIPPED) })
    },
  }
}

/** The node's name for the log: host only, because path or query may carry an API key. */
export function nodeName(node: NodeClient): string {
  return URL.parse(node.url)?.host ?? 'unknown'
}

export interface Answered<Answer> {
  readonly node: NodeClient
  readonly answer: Answer
}

/**
 * Asks all of them at once, and gives the answers of those that have one.
 * @throws TooFewNodes when fewer than `quorum` answered, or a single node's own error; and errors that no node caused
 */
export async function askAll<Answer>(
  clients: readonly NodeClient[],
  quorum: number,
  ask: (node: NodeClient) => Promise<Answer>,
  report?: Nodes['report'],
): Promise<Answered<Answer>[]> {
  const answers = await Promise.allSettled(clients.map((node) => ask(node)))
  const answered: Answered<Answer>[] = []
  const failed: { node: NodeClient; error: unknown }[] = []
  for (const [index, node] of clients.entries()) {
    const outcome = answers[index]
    if (outcome?.status === 'fulfilled') {
      answered.push({ node, answer: outcome.value })
      report?.(node, null)
    } else {
      const error: unknown = outcome?.reason
      if (!(error instanceof NodeError) && !(error instanceof ChainFault)) throw error
      failed.push({ node, error })
      report?.(node, error)
    }
  }
  if (answered.length >= quorum) return answered
  if (clients.length === 1) throw failed[0]?.error
  const reasons = failed.map(({ node, error }) => `${nodeName(node)}: ${describeError(error)}`)
  throw new TooFewNodes(
    `${answered.length} of ${quorum} nodes that are needed answered; ${reasons.join('; ')}`,
  )
}

/**
 * The answers do not fit together:
 * - `broken`: a block does not follow the one before. Reading stops there until it does; a block is never skipped.
 * - `incomplete`: a block or receipts that must exist are missing.
 * - `disputed`: a block and a receipt disagree about an incoming transfer or one of ours.
 * - `disagreement`: two nodes contradict each other. Nothing is recorded or signed until they agree.
 */
export type FaultCode = 'broken' | 'incomplete' | 'disputed' | 'disagreement'

export class ChainFault extends Error {
  override readonly name = 'ChainFault'
  readonly code: FaultCode

  constructor(code: FaultCode, message: string) {
    super(message)
    this.code = code
  }
}

export class TooFewNodes extends Error {
  override readonly name = 'TooFewNodes'
}

/** A stable name for the log; null where the nodes are not the cause. */
export function nodeErrorKind(error: unknown): string | null {
  if (error instanceof NodeError) return `node.${error.code}`
  if (error instanceof TooFewNodes) return 'node.too_few'
  return error instanceof ChainFault ? `chain.${error.code}` : null
}
