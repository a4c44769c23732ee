/**
 * How fast the gateway reads a chain that it has never seen, beside a baseline: a bare fetch of the same blocks and receipts,
 * as many at a time, whose answers are parsed and thrown away.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '@aval/db'
import { createNodeClient, DEVNET, depositAddress, devnetAddress } from '@aval/tron'
import pg from 'pg'
import { nodesOf } from '../apps/gateway/src/chain/nodes.ts'
import { mapInOrder, range } from '../apps/gateway/src/core/in-order.ts'
import { createLog } from '../apps/gateway/src/core/log.ts'
import { createFollower } from '../apps/gateway/src/ingest/follow.ts'
import { openCluster } from './cluster.ts'
import { msSince } from './measures.ts'
import type { ChainOptions } from './options.ts'
import { askDevnet, DEVNET_PROGRAM, startProgram } from './processes.ts'
import { columnsOf, hundredth, machineNow, type Outcome, type Tell } from './report.ts'

/** One block in so many pays an address of ours. */
const PAID_EVERY = 10
const MEMBERS = 20
/** What the follower has under way at once. */
const IN_FLIGHT = 8

export type Catchup = Awaited<ReturnType<typeof measureCatchup>>

export async function runCatchup(options: ChainOptions, tell: Tell): Promise<Outcome> {
  const figures = await measureCatchup(options, tell)
  return { table: columnsOf(Object.entries(figures).map(([name, value]) => [name, `${value}`])), figures }
}

export async function measureCatchup(options: ChainOptions, tell: Tell) {
  const machine = machineNow(tell)
  const folder = await mkdtemp(join(tmpdir(), 'aval-catchup-'))
  const cluster = await openCluster(options)
  const owner = new pg.Pool({ connectionString: cluster.ownerUrl, max: 2 })
  owner.on('error', () => undefined)
  const devnet = await startProgram(DEVNET_PROGRAM, {
    DATA_DIR: folder,
    DEVNET_PORT: String(options.port),
    DEVNET_NODES: String(options.nodes),
    DEVNET_BLOCK_MS: '0',
    DEVNET_SOLID_LAG: '0',
  })
  try {
    const urls = Array.from({ length: options.nodes }, (_, node) => `http://127.0.0.1:${options.port + node}`)
    tell(`A chain of ${options.blocks} blocks …`)
    const { addresses, payments } = await grow(urls[0] ?? '', options.blocks)
    await installChain(owner, addresses)
    // Twice, and the second counts: the node's own caches are warm then for both.
    await baseline(urls[0] ?? '', options.blocks)
    const baselineMs = await baseline(urls[0] ?? '', options.blocks)
    tell(`Read bare in ${Math.round(baselineMs)} ms; the gateway …`)
    const followedMs = await followAll(cluster.gatewayUrl, urls)
    const { rows } = await owner.query<{ count: number }>('SELECT count(*)::int FROM incoming_transfer')
    const recorded = rows[0]?.count
    if (recorded !== payments) throw new Error(`${recorded} of ${payments} payments were recorded`)
    return {
      blocks: options.blocks,
      nodes: options.nodes,
      payments,
      blocksPerSecond: Math.round((options.blocks * 1_000) / followedMs),
      baselineBlocksPerSecond: Math.round((options.blocks * 1_000) / baselineMs),
      /** The follower's time in baseline times. */
      ratio: hundredth(followedMs / baselineMs),
      ...machine,
    }
  } finally {
    await devnet.stop()
    await owner.end()
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Makes the chain; the addresses that were paid, and how often. */
async function grow(url: string, blocks: number): Promise<{ addresses: string[]; payments: number }> {
  const xpub = DEVNET.xpub
  const addresses = Array.from({ length: MEMBERS }, (_, member) => depositAddress(xpub, member + 1))
  const node = createNodeClient({ url, timeoutMs: 10_000 })
  let payments = 0
  for (let left = blocks - (await node.headBlock()).number; left > 0; ) {
    await askDevnet(url, '/dev/pay', { to: addresses[payments % MEMBERS], amount: '1' })
    payments += 1
    const made = Math.min(PAID_EVERY, left)
    await askDevnet(url, '/dev/mine', { blocks: made })
    left -= made
  }
  return { addresses, payments }
}

/** Fetches every block, and the receipts of those that have transactions, in milliseconds. */
async function baseline(url: string, blocks: number): Promise<number> {
  const begun = performance.now()
  const read = mapInOrder(range(1, blocks), IN_FLIGHT, async (num) => {
    const block = await askDevnet(url, '/walletsolidity/getblockbynum', { num })
    const isPlain = typeof block !== 'object' || block === null || !('transactions' in block)
    return isPlain ? block : askDevnet(url, '/walletsolidity/gettransactioninfobyblocknum', { num })
  })
  for await (const _ of read);
  return msSince(begun)
}

async function followAll(gatewayUrl: string, urls: readonly string[]): Promise<number> {
  const { db, close } = connect(gatewayUrl, 4, 'bench')
  const follower = createFollower({
    db,
    network: 'devnet',
    startAt: 'first',
    usdt: DEVNET.usdt,
    hot: devnetAddress('hotWallet'),
    log: createLog(() => undefined),
  })
  const nodes = nodesOf(urls.map((url) => createNodeClient({ url, timeoutMs: 10_000 })))
  try {
    const begun = performance.now()
    for (let done = false; !done; ) {
      const { scanned, solid } = await follower.poll(nodes)
      done = scanned === solid
    }
    return msSince(begun)
  } finally {
    await close()
  }
}

/** Sets the database up for the development chain, with these deposit addresses of members 1, 2, … */
async function installChain(owner: pg.Pool, addresses: readonly string[]): Promise<void> {
  await owner.query(
    "INSERT INTO installation (network, usdt_contract, deposit_xpub) VALUES ('devnet', $1, $2)",
    [DEVNET.usdt, DEVNET.xpub],
  )
  await owner.query(
    'INSERT INTO deposit_address (address, member_id, key_index) SELECT a, n, n FROM unnest($1::text[]) WITH ORDINALITY AS t (a, n)',
    [addresses],
  )
}
