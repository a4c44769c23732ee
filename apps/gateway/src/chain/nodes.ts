/** The configured nodes. One is asked; when it fails, the next one takes its place. */
import { createNodeClient, type NodeClient } from '@aval/tron'

export interface Nodes {
  /** The node to ask now. */
  current(): NodeClient
  /** To the next one. With a single node, the same again. */
  rotate(): void
}

/** How long one answer may take before the node counts as failed. */
const TIMEOUT_MS = 8_000

/** @throws RangeError when there is no node */
export function createNodes(urls: readonly string[]): Nodes {
  const clients = urls.map((url) => createNodeClient({ url, timeoutMs: TIMEOUT_MS }))
  let at = 0
  return {
    current() {
      const client = clients[at % clients.length]
      if (client === undefined) throw new RangeError('no node is configured')
      return client
    },
    rotate() {
      at = (at + 1) % Math.max(clients.length, 1)
    },
  }
}

/** The node's name for the log: its address may carry a key in path or query. */
export function nodeName(node: NodeClient): string {
  return URL.parse(node.url)?.host ?? 'unknown'
}
