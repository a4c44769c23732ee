/** `npm run bench -- payouts`: a whole payout day on a network of any size, and what members feel of it. */
import { connect } from '@aval/db'
import { z } from 'zod'
import { yieldToReaders } from '../apps/server/src/features/payout-runs/runs/concurrency.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner, settle } from './database.sql.ts'
import { type DayTimes, dayLater, NOW, type PaidSoFar, payDay, selectPaidSoFar } from './day.ts'
import { type Floor, measureFloor } from './floor.ts'
import { BATCH } from './load.ts'
import { peakRssMb } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { startChild } from './processes.ts'
import { type Felt, measureReaders } from './readers.ts'
import { measureRegistrations, type Registrations } from './registration.ts'
import { type Machine, machineNow, stagesOf } from './report.ts'

/** What is measured in one go; the parts that were not asked for are null. */
export interface PayoutsResult extends Machine {
  readonly options: PayoutsOptions
  readonly load: Loading
  readonly day: DayTimes
  readonly postings: number
  readonly items: number
  /** Of the payer, up to the end of the day. */
  readonly nodeRssMb: number
  readonly floor: Floor
  readonly registrations: Registrations | null
  readonly felt: Felt | null
  readonly faults: readonly string[] | null
}

const loading = z.object({
  ms: z.number(),
  earlier: z.number(),
  investments: z.number(),
  invested: z.bigint(),
  peakRssMb: z.number(),
})
export type Loading = z.output<typeof loading>

export async function loadInChild(cluster: Cluster, options: PayoutsOptions): Promise<Loading> {
  const { members, shape, seed, thin, check } = options
  const history = check ? 'paid' : 'marked'
  const { ownerUrl, serverUrl, gatewayUrl } = cluster
  const child = startChild('load-child.ts')
  try {
    const network = { members, shape, seed, thin, history }
    return loading.parse(await child.ask({ ownerUrl, serverUrl, gatewayUrl, ...network }))
  } finally {
    await child.end()
  }
}

interface Measured {
  readonly day: DayTimes
  readonly before: PaidSoFar
  readonly postings: number
  readonly items: number
  readonly nodeRssMb: number
}

/** One day, with nothing else going on. */
async function measureDay({ ownerUrl, serverUrl }: Cluster, now: Date): Promise<Measured> {
  const before = await asOwner(ownerUrl, async (client) => {
    await settle(client)
    return selectPaidSoFar(client)
  })
  const server = connect(serverUrl, 8, 'aval-worker')
  const day = await payDay(server.db, now).finally(() => server.close())
  const nodeRssMb = peakRssMb()
  const after = await asOwner(ownerUrl, selectPaidSoFar)
  const postings = after.postings - before.postings
  if (after.unfinished > 0 || postings === 0)
    throw new Error(`the day was not paid: ${postings} postings, ${after.unfinished} runs unfinished`)
  return { day, before, postings, items: after.items - before.items, nodeRssMb }
}

/**
 * A second day, so that the readers distort nothing that is compared with the floor. What the first one left is tidied up
 * before, else autovacuum does it while the idle readers are timed.
 */
async function payWatched(cluster: Cluster, options: PayoutsOptions): Promise<Felt> {
  await asOwner(cluster.ownerUrl, analyse)
  const server = connect(cluster.serverUrl, 8, 'aval-worker')
  const now = dayLater(NOW)
  const yielding = yieldToReaders(cluster.serverUrl)
  const pay = () => payDay(server.db, now)
  return measureReaders(cluster, options, now, pay).finally(() =>
    Promise.all([yielding.stop(), server.close()]),
  )
}

async function registerThem(cluster: Cluster, options: PayoutsOptions): Promise<Registrations> {
  const server = connect(cluster.serverUrl)
  return measureRegistrations(server, options.members, options.seed).finally(() => server.close())
}

async function faultsOf({ serverUrl }: Cluster): Promise<readonly string[]> {
  const server = connect(serverUrl, 1)
  const { faults } = await checkLedger(server.db).finally(() => server.close())
  return faults
}

/** @param tell hears what is being done, a line each */
export async function runPayouts(
  options: PayoutsOptions,
  tell: (line: string) => void,
): Promise<PayoutsResult> {
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  try {
    tell(`PostgreSQL is in ${cluster.place}; ${options.thin ? 'a thin' : 'a whole'} network goes in:`)
    const loaded = await loadInChild(cluster, options)
    const stage = stagesOf(tell)
    stage('the day is paid')
    const measured = await measureDay(cluster, NOW)
    stage('the floor under it')
    const floor = await measureFloor(cluster.ownerUrl, measured.before.lastJournal, BATCH)
    if (options.registrations) stage('registrations')
    const registrations = options.registrations ? await registerThem(cluster, options) : null
    if (options.readers) stage('readers, idle and while the next day is paid')
    const felt = options.readers ? await payWatched(cluster, options) : null
    if (options.check) stage('the check of the ledger')
    const faults = options.check ? await faultsOf(cluster) : null
    stage('done')
    const { day, postings, items, nodeRssMb } = measured
    const paid = { day, postings, items, nodeRssMb, floor }
    return { options, ...machine, load: loaded, ...paid, registrations, felt, faults }
  } finally {
    await cluster.stop()
  }
}
