/**
 * One installation, whole and in this process: database, chain with two nodes, gateway, signer, server. Its time is a
 * number, its chance a seed; everything that could happen by itself happens by call.
 */

import type { Connection, Database } from '@aval/db'
import { type Devnet, startDevnet } from '@aval/devnet'
import { createNodeClient, DEVNET, devnetAddress, type NodeClient } from '@aval/tron'
import type pg from 'pg'
import { createLog } from '../apps/gateway/src/core/log.ts'
import type { JournalStorage } from '../apps/gateway/src/signer/journal/storage.ts'
import { memoryStorage } from '../apps/gateway/src/signer/testing/journals.ts'
import { type Approvers, createApprovers } from '../apps/gateway/src/testing/approvers.ts'
import { crashingDatabase, createLifetime, type Lifetime } from '../apps/gateway/src/testing/crashes.ts'
import type { Context } from '../apps/server/src/core/context.ts'
import { type Chance, chanceFrom } from '../bench/random.ts'
import { type Auditor, createAuditor } from './auditor.ts'
import { BEGINNING, type Template, USDT } from './people.ts'

export interface World {
  readonly template: Template
  readonly chance: Chance
  readonly devnet: Devnet
  readonly owner: pg.Pool
  readonly auditor: Auditor
  /** Milliseconds since 1970, of the system, of business and of the chain alike. */
  time: number
  readonly now: () => Date
  /** The server as a process that lives this long. */
  server(life: Lifetime): Context
  /** The gateway's and the signer's databases, likewise. */
  gatewayDb(life: Lifetime): Database
  signerDb(life: Lifetime): Database
  readonly nodes: readonly NodeClient[]
  /** Operators with their passkeys, and the signer's disk. */
  readonly approvers: Approvers
  readonly journal: JournalStorage
  readonly log: ReturnType<typeof createLog>
  close(): Promise<void>
}

/** A hanging node is not waited for: in this world no time passes by itself. */
const NODE_TIMEOUT_MS = 40

/** The template at its beginning, with a chain of its own; one at a time. */
export async function createWorld(template: Template, seed: number): Promise<World> {
  const { config, connections } = template
  const { owner } = connections
  const clock = { time: BEGINNING }
  await template.reset()
  const devnet = await openChain(template, () => clock.time)
  const now = () => new Date(clock.time)
  const as = (connection: Connection) => (life: Lifetime) => crashingDatabase(connection, life)
  const server = as(connections.server)
  const approvers = createApprovers(
    async (query, values) => (await owner.query(query, values)).rows,
    template.operators.map(({ memberId }) => memberId),
    () => clock.time,
  )
  return {
    template,
    chance: chanceFrom(seed),
    devnet,
    owner,
    auditor: createAuditor({ owner, devnet, ...PINS, deposits: depositsOf(template) }),
    get time() {
      return clock.time
    },
    set time(next) {
      clock.time = next
    },
    now,
    server: (life) => ({ db: server(life), clock: { now: async () => now() }, config }),
    gatewayDb: as(connections.gateway),
    signerDb: as(connections.signer),
    nodes: devnet.nodes.map(({ url, fetch }) => createNodeClient({ url, fetch, timeoutMs: NODE_TIMEOUT_MS })),
    approvers,
    journal: memoryStorage().storage,
    log: createLog(() => undefined),
    close: () => devnet.close(),
  }
}

const depositsOf = ({ company, investors }: Template) => [
  company,
  ...investors.map(({ deposits }) => deposits),
]

/** What the installation is pinned to. */
export const PINS = {
  network: 'devnet',
  usdt: DEVNET.usdt,
  hot: devnetAddress('hotWallet'),
  cold: devnetAddress('coldWallet'),
} as const

export const neverCrashes = (): Lifetime => createLifetime({ after: Number.MAX_SAFE_INTEGER, how: 'unsent' })

/**
 * The chain as every run finds it: each member has paid in, and the company, to its own address and to the hot wallet. The
 * same calls give the same chain, so that a database that has read it fits every one of them.
 */
export async function openChain(template: Template, now: () => number): Promise<Devnet> {
  const devnet = await startDevnet({ memory: true, nodes: 2, solidLag: 3, now })
  const { wallet } = devnet
  for (const [index, { deposits }] of template.investors.entries())
    await wallet.pay('demoWallet', deposits, BigInt(2_000 + 1_000 * index) * USDT)
  await wallet.pay('demoWallet', template.company, 2_000n * USDT)
  await wallet.pay('demoWallet', devnetAddress('hotWallet'), 4_000n * USDT)
  await devnet.mine(5)
  return devnet
}
