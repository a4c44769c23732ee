/** Starts a development chain inside this process: what the program does, and what tests do. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Chain } from './chain/chain.ts'
import { DevWallet } from './chain/dev-wallet.ts'
import { type FaultAnswer, runFault } from './chain/faults.ts'
import { isOutOfRoom, Store } from './chain/store.ts'
import { type NodeFetch, nodeFetch } from './http/ask.ts'
import { buildServer } from './http/server.ts'
import type { FaultKind, NodeFaultInput } from './node/faults.ts'
import { ChainNode } from './node/node.ts'

export type { NodeFaultInput } from './node/faults.ts'

/** Where the state is kept: in `dataDir`/devnet, or in memory only. */
export type DevnetPlace =
  | { readonly dataDir: string; readonly memory?: false }
  | { readonly memory: true; readonly dataDir?: undefined }

export type DevnetOptions = DevnetPlace & {
  /** 127.0.0.1 when not given. */
  readonly host?: string
  /** 0, when not given, takes any free port. */
  readonly port?: number
  /** How many nodes there are from the start, at this port and the next ones; 1 when not given. */
  readonly nodes?: number
  /** Milliseconds between blocks; 0, when not given, makes blocks by call only. */
  readonly blockMs?: number
  /** How many blocks the solid chain is behind the head; 19 when not given. */
  readonly solidLag?: number
  /** The real clock, milliseconds since 1970; `Date.now` when not given. */
  readonly now?: () => number
  /** Offset of the chain's clock when a new chain begins. */
  readonly genesisOffsetMs?: number
}

/** A node: one face of the chain, with faults of its own. `url` has no trailing slash. */
export interface DevnetNode {
  readonly url: string
  /** Asks this node without HTTP; give it to `createNodeClient`. */
  readonly fetch: NodeFetch
  /**
   * Switches a fault on, as POST /dev/node-fault does.
   * @returns what it made: `from` of a fork, `txid` and `block` of a phantom
   */
  fault(fault: NodeFaultInput): FaultAnswer
  /** Ends all its faults of a kind, or all. */
  clear(kind?: FaultKind): void
  /** Closes its port. The chain goes on. */
  close(): Promise<void>
}

/** A running chain. `url` is the first node's. */
export interface Devnet {
  readonly url: string
  readonly chain: Chain
  readonly wallet: DevWallet
  /** The nodes there are, in the order in which they came. */
  readonly nodes: readonly [DevnetNode, ...DevnetNode[]]
  /** Makes blocks now (one when not said); what waits goes into the first ones, 500 transactions each. */
  mine(blocks?: number): Promise<void>
  /**
   * A fault of the whole chain, as POST /dev/fault makes it.
   * @returns what it did, such as a `txid`
   */
  fault(kind: string, fields?: Readonly<Record<string, unknown>>): Promise<FaultAnswer>
  /** Adds a node; 0, when not given, takes any free port. */
  addNode(port?: number): Promise<DevnetNode>
  /** Finishes what is being done, closes all ports and the database. */
  close(): Promise<void>
}

/**
 * Starts the chain and its servers.
 * @throws StoreError for a data folder that is in use or newer than us; the listen error of a busy port
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const store = new Store(options.memory === true ? null : options.dataDir)
  const closers: (() => Promise<void>)[] = []
  const closeAll = async (): Promise<void> => {
    for (const close of closers.splice(0)) await close()
    store.close()
  }
  try {
    return await serve(store, options, closers, closeAll)
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function serve(
  store: Store,
  options: DevnetOptions,
  closers: (() => Promise<void>)[],
  closeAll: () => Promise<void>,
): Promise<Devnet> {
  const { blockMs = 0, port: firstPort = 0 } = options
  const chain = await Chain.open(store, {
    now: options.now ?? Date.now,
    solidLag: options.solidLag ?? 19,
    genesisOffsetMs: options.genesisOffsetMs ?? 0,
  })
  const wallet = new DevWallet(chain)
  closers.push(() => chain.idle())
  const open = async (port: number): Promise<DevnetNode> => {
    const node = new ChainNode(chain)
    const opened = await listen(node, buildServer(node, wallet, blockMs), options.host ?? '127.0.0.1', port)
    closers.unshift(opened.close)
    return opened
  }
  const nodes: [DevnetNode, ...DevnetNode[]] = [await open(firstPort)]
  const addNode = async (port = 0): Promise<DevnetNode> => {
    const node = await open(port)
    nodes.push(node)
    return node
  }
  while (nodes.length < (options.nodes ?? 1)) await addNode(firstPort === 0 ? 0 : firstPort + nodes.length)
  if (blockMs > 0) closers.unshift(startMining(chain, blockMs))
  return {
    url: nodes[0].url,
    chain,
    wallet,
    nodes,
    mine: async (blocks) => {
      await chain.mine(blocks)
    },
    fault: (kind, fields) => runFault(kind, fields ?? {}, wallet),
    addNode,
    close: closeAll,
  }
}

async function listen(
  node: ChainNode,
  app: FastifyInstance,
  host: string,
  port: number,
): Promise<DevnetNode> {
  await app.listen({ host, port })
  const { port: taken } = app.server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    fetch: nodeFetch(node),
    fault: (fault) => node.fault(fault),
    clear: (kind) => node.clear(kind),
    close: async () => {
      node.close()
      await app.close()
    },
  }
}

/**
 * Makes a block every so many milliseconds, never two at once; returns what stops it. On a full disk the chain stands still until there
 * is room. Another error while making a block is not swallowed: a chain that cannot write must stop.
 */
function startMining(chain: Chain, blockMs: number): () => Promise<void> {
  let timer: NodeJS.Timeout
  let stopped = false
  let stands = false
  const make = async (): Promise<void> => {
    try {
      await chain.mine()
      if (stands) process.stderr.write('devnet: blocks are made again\n')
      stands = false
    } catch (error) {
      if (!isOutOfRoom(error)) throw error
      if (!stands) process.stderr.write(`devnet: no block can be made, the disk takes nothing: ${error}\n`)
      stands = true
    }
  }
  const wait = (): void => {
    timer = setTimeout(() => {
      make().then(() => {
        if (!stopped) wait()
      })
    }, blockMs)
  }
  wait()
  return async () => {
    stopped = true
    clearTimeout(timer)
  }
}
