/** Starts a development chain inside this process: what the program does, and what tests do. */
import type { AddressInfo } from 'node:net'
import { Chain } from './chain/chain.ts'
import { DevWallet } from './chain/dev-wallet.ts'
import { Store } from './chain/store.ts'
import { buildServer } from './http/server.ts'
import { startMining } from './mining.ts'

export interface DevnetOptions {
  /** State lies in `dataDir`/devnet. */
  readonly dataDir: string
  /** 127.0.0.1 when not given. */
  readonly host?: string
  /** 0, when not given, takes any free port. */
  readonly port?: number
  /** Milliseconds between blocks; 0, when not given, makes blocks by call only. */
  readonly blockMs?: number
  /** How many blocks the solid chain is behind the head; 19 when not given. */
  readonly solidLag?: number
  /** The real clock, milliseconds since 1970; `Date.now` when not given. */
  readonly now?: () => number
  /** Offset of the chain's clock when a new chain begins. */
  readonly genesisOffsetMs?: number
}

/** A running chain. `url` has no trailing slash. */
export interface Devnet {
  readonly url: string
  readonly chain: Chain
  readonly wallet: DevWallet
  /** Makes blocks now (one when not said); what waits goes into the first ones, 500 transactions each. */
  mine(blocks?: number): Promise<void>
  /** Finishes what is being done, closes the port and the database. */
  close(): Promise<void>
}

/**
 * Starts the chain and its server.
 * @throws StoreError for a data folder that is in use or newer than us; the listen error of a busy port
 */
export async function startDevnet(options: DevnetOptions): Promise<Devnet> {
  const store = new Store(options.dataDir)
  try {
    return await serve(store, options)
  } catch (error) {
    store.close()
    throw error
  }
}

async function serve(store: Store, options: DevnetOptions): Promise<Devnet> {
  const blockMs = options.blockMs ?? 0
  const chain = await Chain.open(store, {
    now: options.now ?? Date.now,
    solidLag: options.solidLag ?? 19,
    genesisOffsetMs: options.genesisOffsetMs ?? 0,
  })
  const wallet = new DevWallet(chain)
  const app = buildServer(chain, wallet, blockMs)
  const host = options.host ?? '127.0.0.1'
  await app.listen({ host, port: options.port ?? 0 })
  const { port } = app.server.address() as AddressInfo
  const mining = blockMs > 0 ? startMining(chain, blockMs) : null
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    chain,
    wallet,
    mine: async (blocks) => {
      await chain.mine(blocks)
    },
    close: async () => {
      mining?.stop()
      await app.close()
      await chain.idle()
      store.close()
    },
  }
}
