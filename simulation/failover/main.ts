/**
 * `npm run failover`: the product on three PostgreSQL nodes under Patroni and etcd, from the files of deploy/ha. Under deposits, payout
 * runs and withdrawals the leader is killed ten times, and the network cut five times. Then: each acknowledged write is there, nothing
 * happened twice, the ledger is clean, runs replay, and the reserves are what the chain says. Needs root on Debian, and is no part of
 * `npm test`. `--kills` and `--cuts` take other counts. Ends with a line of JSON; the exit code is 1 when something is wrong.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { openClient } from '@aval/db/client'
import { chanceFrom } from '../../bench/random.ts'
import { lineOf, Refusal } from '../../tools/core/refusal.ts'
import { continueWithOwnNode } from '../../tools/runtime.ts'
import { createProduct, type Product } from '../../tools/testing/product.ts'
import { fillHotWallet, newOperator } from '../processes/people.ts'
import { type Cluster, makeDatabase, startCluster } from './cluster.ts'
import { CUTS, type Fault, KILL } from './faults.ts'
import { faultsAfter } from './findings.ts'
import { Load, untilWithin } from './load.ts'
import { makeNetwork, prepareMachine, removeNetwork } from './machine.ts'

const OPTIONS = {
  kills: { type: 'string', default: '10' },
  cuts: { type: 'string', default: '5' },
  seed: { type: 'string', default: '1' },
} as const

const DEMO_PASSWORD = 'failover-password'
/** A failover is over by then. */
const LIMIT_MS = 30_000
/** How long is waited for it nevertheless. */
const PATIENCE_MS = 120_000
/** Work goes on for so long, and up to as much longer, before the next fault. */
const LIFE_MS = 3_000

interface Failover {
  readonly fault: string
  /** The longest time without an acknowledged write since the fault, or since its end where the database could not move. */
  readonly seconds: number
  /** The slowest answer that the product gave meanwhile when it could not write, in milliseconds. */
  readonly slowestRefusal: number
  readonly refusals: number
}

const say = (line: string) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`)

async function withstand(cluster: Cluster, load: Load, fault: Fault, haproxy: string): Promise<Failover> {
  const leader = await cluster.whole()
  const began = performance.now()
  const mending = await fault.do(cluster, leader)
  if (mending.isNeeded) await mending.mend()
  else await untilWithin(PATIENCE_MS, 'another leader', () => cluster.leader(leader))
  const done = performance.now()
  const first = await load.firstWriteAfter(done, PATIENCE_MS)
  const seconds = load.longestPause(mending.isNeeded ? done : began, first) / 1000
  if (!mending.isNeeded) await mending.mend()
  const after = await cluster.whole()
  const refused = load.acknowledged.writes.filter(({ at, status }) => at >= began && status !== 200)
  const slowestRefusal = Math.max(0, ...refused.map(({ ms }) => ms))
  say(
    `${fault.name}: ${leader.name} → ${after.name}, ${seconds.toFixed(1)} s without a write; ` +
      `${refused.length} refused meanwhile, the slowest in ${Math.round(slowestRefusal)} ms`,
  )
  await followsLeader(haproxy, after.address)
  return { fault: fault.name, seconds, slowestRefusal, refusals: refused.length }
}

/** Who knows HAProxy's address alone is at the leader too, as soon as it has looked again. */
const followsLeader = (haproxy: string, address: string): Promise<boolean> =>
  untilWithin(LIMIT_MS, 'HAProxy to lead to the leader', async () => {
    const client = openClient(haproxy)
    try {
      await client.connect()
      const { rows } = await client.query<{ at: string }>('SELECT host(inet_server_addr()) AS at')
      return rows[0]?.at === address
    } finally {
      await client.end()
    }
  })

async function startProduct(databaseUrl: string): Promise<Product> {
  const product = await createProduct({
    DATABASE_URL: databaseUrl,
    DEMO: 'on',
    DEMO_PASSWORD,
    DEVNET_BLOCK_MS: '300',
    DEVNET_SOLID_LAG: '2',
    COOLING_HOURS: '0',
  })
  try {
    await product.start()
    return product
  } catch (error) {
    await product.remove()
    throw error
  }
}

async function drill(folder: string, { kills, cuts, seed }: Record<'kills' | 'cuts' | 'seed', number>) {
  const cluster = await startCluster(folder, say)
  const haproxy = cluster.startHaproxy()
  const product = await startProduct(await makeDatabase(cluster))
  let isClean = false
  try {
    const [operator] = await Promise.all([newOperator(product, 'rosa'), fillHotWallet(product)])
    const load = new Load(product, operator, DEMO_PASSWORD)
    const stop = load.start()
    await load.isWarm()
    say('Everybody is at work')
    const chance = chanceFrom(seed)
    const failovers: Failover[] = []
    const faults = [...Array.from({ length: kills }, () => KILL), ...CUTS.slice(0, cuts)]
    for (const fault of faults) {
      await pause(LIFE_MS + chance.below(LIFE_MS))
      failovers.push(await withstand(cluster, load, fault, haproxy))
    }
    await stop()
    say('The work is over; looking at what is there')
    const { writes, members, invoices, payments, withdrawals, days } = load.acknowledged
    const slow = failovers.filter(({ seconds }) => seconds * 1000 > LIMIT_MS)
    const wrong = await faultsAfter(product, load.acknowledged)
    isClean = wrong.length === 0 && slow.length === 0
    return {
      failovers,
      acknowledged: {
        writes: writes.filter(({ status }) => status === 200).length,
        members: members.length,
        invoices: invoices.length,
        payments: payments.length,
        withdrawals: withdrawals.length,
        days: days.length,
      },
      faults: [...wrong, ...slow.map(({ fault, seconds }) => `${fault}: ${seconds.toFixed(1)} s`)],
    }
  } finally {
    if (isClean) await product.remove()
    else {
      await product.stop()
      say(`What is wrong may be in the logs in ${product.dataDir} and ${folder}`)
    }
    await cluster.stop()
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: OPTIONS })
  const whole = (name: keyof typeof OPTIONS) => {
    if (!/^\d{1,4}$/.test(values[name])) throw new Refusal(`--${name} takes a whole number.`)
    return Number.parseInt(values[name], 10)
  }
  const counts = { kills: whole('kills'), cuts: whole('cuts'), seed: whole('seed') }
  await prepareMachine(say)
  await makeNetwork()
  const folder = await mkdtemp(join(tmpdir(), 'aval-failover-'))
  const began = Date.now()
  try {
    const result = await drill(folder, counts)
    console.log(JSON.stringify({ ...result, seconds: (Date.now() - began) / 1000 }))
    process.exitCode = result.faults.length === 0 ? 0 : 1
    if (process.exitCode === 0) await rm(folder, { recursive: true, force: true })
  } finally {
    await removeNetwork()
  }
}

continueWithOwnNode()
await main().catch((error: unknown) => {
  console.error(error instanceof Refusal ? lineOf(error) : error)
  process.exitCode = 1
})
