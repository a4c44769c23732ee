/**
 * The configured nodes, and how many of them must agree: one alone is trusted; of two, both; of more, a majority. None of
 * those that answer may contradict.
 */
import { createNodeClient, type NodeClient, NodeError } from '@aval/tron'
import { describeError, type Log } from '../core/log.ts'
import { type Guard, guardNode, type OwnNetwork } from './guard.ts'
import type { NodeState, RestingState } from './network.rules.ts'

/** A node of the configuration. */
export interface NodeSettings {
  readonly url: string
  /** What its provider knows us by: secret. */
  readonly headers: Readonly<Record<string, string>>
  /** Null: as many as it takes. */
  readonly callsPerDay: number | null
}

/** Why fewer nodes than are needed can be asked now. */
export interface Blocked {
  readonly state: NodeState
  readonly detail: string
  readonly waitMs: number
}

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
  /** Null while enough of them can be asked. */
  blocked(): Blocked | null
  /** How long reading waits so that the budgets last, in milliseconds. */
  paceMs(): number
  /** What was read does not fit together: each shows its network before it is asked again. */
  doubt(): void
}

/** How long one answer may take before the node counts as failed. */
const TIMEOUT_MS = 8_000
/** The most rounds that a failing node is skipped. */
const MOST_SKIPPED = 64

/** @param now the system's clock, milliseconds since 1970 */
export function connectNodes(
  settings: readonly NodeSettings[],
  network: OwnNetwork,
  log: Log,
  now: () => number = Date.now,
): { readonly nodes: Nodes; readonly guards: readonly Guard[] } {
  const guards = settings.map(({ url, headers, callsPerDay }) => {
    const client = createNodeClient({ url, headers, timeoutMs: TIMEOUT_MS })
    return guardNode(client, { network, name: nodeName(client), callsPerDay, log, now })
  })
  const clients = guards.map(({ node }) => node)
  return { nodes: nodesOf(clients, log, guards), guards }
}

/** @throws RangeError when there is no node */
export function nodesOf(clients: readonly NodeClient[], log?: Log, guards: readonly Guard[] = []): Nodes {
  if (clients.length === 0) throw new RangeError('no node is configured')
  const quorum = clients.length <= 2 ? clients.length : Math.floor(clients.length / 2) + 1
  const failing = new Map<NodeClient, { failures: number; skip: number }>()
  const resting = new Map(guards.map((guard) => [guard.node, guard]))
  const available = () => {
    const awake = clients.filter((each) => (resting.get(each)?.restMs() ?? 0) === 0)
    const usable = awake.filter((each) => (failing.get(each)?.skip ?? 0) <= 0)
    return [usable, awake].find((some) => some.length >= quorum) ?? clients
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
    blocked() {
      const rests = guards.map((guard) => ({ guard, ms: guard.restMs() })).toSorted((a, b) => a.ms - b.ms)
      // So many have to be awake; the list begins with those that are.
      const last = rests[quorum - 1]
      if (last === undefined || last.ms === 0) return null
      const { name, state, detail } = last.guard.standing()
      return { state, detail: `${name}: ${detail}`, waitMs: last.ms }
    },
    paceMs: () => Math.max(0, ...guards.map((guard) => guard.paceMs())),
    doubt() {
      for (const guard of guards) guard.doubt()
    },
    report(node, error) {
      // The guard says so, once, and wakes the node when it may be asked.
      if (error instanceof NodeError && UNASKED.has(error.code)) return
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

/** What was not carried out: the node does not want us, or we do not want it. It is not dead. */
export const UNASKED: ReadonlySet<string> = new Set<RestingState>([
  'rate_limited',
  'over_budget',
  'key_refused',
  'other_network',
])

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
