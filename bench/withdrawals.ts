/**
 * `npm run bench -- withdrawals`: money out at size. The product's own processes on a throw-away PostgreSQL and a
 * development chain as `npm start` makes it; this process asks, looks and counts.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { devnetAddress } from '@aval/tron'
import type pg from 'pg'
import { checkReserves } from '../apps/server/src/features/reserves/check.commands.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { type CatchupResult, runCatchup } from './catchup.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner } from './database.sql.ts'
import { msSince, peakRssMb, type Spread } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { askDevnet } from './processes.ts'
import { type Machine, machineNow, stagesOf } from './report.ts'
import { selectWrongs } from './withdrawals.sql.ts'
import { allSolid, type ChainFloor, payAll } from './withdrawals-chain.ts'
import {
  allCompleted,
  measurePage,
  measureRoundTrip,
  measureSubmits,
  type Page,
  type Settling,
  type Submitted,
  settleAll,
} from './withdrawals-measures.ts'
import {
  allCredited,
  askAll,
  makeMembers,
  makeOperator,
  type Person,
  type Population,
} from './withdrawals-members.ts'
import {
  choosePlace,
  freePort,
  type Place,
  type Product,
  startChainOf,
  startProduct,
} from './withdrawals-product.ts'

export interface WithdrawalsResult extends Machine {
  readonly options: PayoutsOptions
  readonly members: number
  readonly floor: ChainFloor
  readonly creditingMs: number
  readonly askingMs: number
  readonly roundTrip: Spread
  /** With ten open withdrawals, and with all of them. */
  readonly pages: { readonly few: Page; readonly all: Page }
  readonly settling: Settling
  readonly submitted: Submitted
  readonly catchUp: CatchupResult
  /** The most that each process held, in MB. */
  readonly memory: Readonly<Record<string, number>>
  /** Of the ledger, the reserves, and everything that was paid; in a sentence each. */
  readonly faults: readonly string[]
}

const FEW = 10
const SAMPLES = 20
/** More than a transfer burns on the development chain, in TRX. */
const TRX_A_TRANSFER = 10
/** Blocks of the chain that the gateway catches up with. */
const BLOCKS = { least: 1_000, most: 20_000 } as const
const MATCHED_WITHIN_MS = 120_000

type Tell = (line: string) => void

/** The deposits are the chain's floor at the same time: bare transfers, as many as withdrawals later. */
async function payIn(place: Place, { payments }: Population): Promise<ChainFloor> {
  const [hot, ...deposits] = payments
  if (hot === undefined) throw new RangeError('nobody pays in')
  const chain = await startChainOf(place)
  try {
    await payAll(place.devnetUrl, [hot])
    const trx = String(TRX_A_TRANSFER * payments.length)
    await askDevnet(place.devnetUrl, '/dev/faucet', { address: devnetAddress('hotWallet'), trx })
    await allSolid(place.devnetUrl)
    return await payAll(place.devnetUrl, deposits)
  } finally {
    await chain.stop()
  }
}

/** Readings come in every few seconds; one that is older than the last transfer says nothing yet. */
async function reserveFaults({ context }: Product): Promise<string[]> {
  const begun = performance.now()
  for (;;) {
    const { verdict, drift } = await checkReserves(context.db, new Date())
    if (verdict === 'matched') return []
    if (msSince(begun) > MATCHED_WITHIN_MS) return [`the reserves are ${verdict}, ${drift} micro-USDT apart`]
    await pause(500)
  }
}

async function faultsOf(product: Product, owner: pg.Client): Promise<string[]> {
  const { faults } = await checkLedger(product.context.db)
  return [...faults, ...(await selectWrongs(owner)), ...(await reserveFaults(product))]
}

type Lived = Omit<WithdrawalsResult, 'options' | 'floor' | 'catchUp' | 'members' | keyof Machine>

async function live(
  product: Product,
  owner: pg.Client,
  people: readonly Person[],
  tell: Tell,
): Promise<Lived> {
  tell('deposits are read and credited')
  const creditingMs = await allCredited(owner, people.length)
  const operatorId = await makeOperator(product)
  tell(`the queue with ${FEW} withdrawals`)
  await askAll(product, people.slice(0, FEW))
  const few = await measurePage(product, operatorId)
  tell('everybody asks for a withdrawal')
  const askingMs = await askAll(product, people.slice(FEW))
  await analyse(owner)
  tell('the queue with all of them')
  const roundTrip = await measureRoundTrip(owner)
  const all = await product.whileTheWorkerRests(() => measurePage(product, operatorId))
  tell('all are approved and paid')
  const settling = await settleAll(product, owner, operatorId, tell)
  tell('withdrawals that nobody has to approve')
  const submitted = await measureSubmits(product, owner, people.slice(0, SAMPLES))
  await allCompleted(owner, SAMPLES, tell)
  tell('the check of ledger and reserves')
  const pages = { few, all }
  const faults = await faultsOf(product, owner)
  const memory = { ...(await product.memory()), benchmark: peakRssMb() }
  return { creditingMs, askingMs, roundTrip, pages, settling, submitted, faults, memory }
}

async function liveThrough(
  cluster: Cluster,
  place: Place,
  people: readonly Person[],
  tell: Tell,
): Promise<Lived> {
  return asOwner(cluster.ownerUrl, async (owner) => {
    const product = await startProduct(place, owner)
    return live(product, owner, people, tell).finally(() => product.stop())
  })
}

/** The gateway reads a chain of its own, with nothing beside it. */
async function readOn({ open, folder }: PayoutsOptions, tell: Tell): Promise<CatchupResult> {
  const blocks = Math.min(BLOCKS.most, Math.max(BLOCKS.least, 2 * open))
  const own = { folder, keep: false, databaseUrl: undefined }
  return runCatchup({ ...own, blocks, nodes: 1, port: await freePort() }, tell)
}

/** @param tell hears what is being done, a line each */
export async function runWithdrawals(options: PayoutsOptions, tell: Tell): Promise<WithdrawalsResult> {
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  const members = Math.max(options.open, options.members)
  const stage = stagesOf(tell)
  try {
    tell(`PostgreSQL is in ${cluster.place}; the members go in:`)
    const population = await makeMembers(cluster, members, options.seed, tell)
    const place = await choosePlace(options.folder, cluster.ownerUrl)
    const people = population.people.slice(0, options.open)
    const payments = population.payments.slice(0, 1 + options.open)
    stage('they pay in, on a chain with nothing beside it')
    const floor = await payIn(place, { people, payments })
    const lived = await liveThrough(cluster, place, people, stage)
    await cluster.stop()
    stage('the gateway catches up')
    const catchUp = await readOn(options, stage)
    stage('done')
    return { options, members, ...machine, floor, ...lived, catchUp }
  } finally {
    await cluster.stop()
  }
}
