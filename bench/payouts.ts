/** `npm run bench -- payouts`: a whole payout day on a network of any size, and what members feel of it. */
import { connect } from '@aval/db'
import { z } from 'zod'
import { yieldToReaders } from '../apps/server/src/features/payout-runs/runs/concurrency.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner, settle } from './database.sql.ts'
import { dayLater, NOW, payDay, selectPaidSoFar } from './day.ts'
import { measureFloor } from './floor.ts'
import { BATCH } from './load.ts'
import { peakRssMb } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { startChild } from './processes.ts'
import { type Felt, measureReaders, type Readings } from './readers.ts'
import { measureRegistrations, type Registrations } from './registration.ts'
import {
  columnsOf,
  count,
  type Machine,
  machineLine,
  machineNow,
  ms,
  type Outcome,
  spread,
  stagesOf,
  type Tell,
} from './report.ts'

const loading = z.object({
  ms: z.number(),
  earlier: z.number(),
  investments: z.number(),
  invested: z.bigint(),
  peakRssMb: z.number(),
})

export async function loadInChild(cluster: Cluster, options: PayoutsOptions) {
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

/** One day, with nothing else going on. */
async function measureDay({ ownerUrl, serverUrl }: Cluster, now: Date) {
  const before = await asOwner(ownerUrl, async (client) => {
    await settle(client)
    return selectPaidSoFar(client)
  })
  const server = connect(serverUrl, 8, 'aval-worker')
  const dayMs = await payDay(server.db, now).finally(() => server.close())
  const nodeRssMb = peakRssMb()
  const after = await asOwner(ownerUrl, selectPaidSoFar)
  const postings = after.postings - before.postings
  if (after.unfinished > 0 || postings === 0)
    throw new Error(`the day was not paid: ${postings} postings, ${after.unfinished} runs unfinished`)
  return { dayMs, lastJournal: before.lastJournal, postings, items: after.items - before.items, nodeRssMb }
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

async function measure(cluster: Cluster, options: PayoutsOptions, tell: Tell) {
  tell(`PostgreSQL is in ${cluster.place}; ${options.thin ? 'a thin' : 'a whole'} network goes in:`)
  const load = await loadInChild(cluster, options)
  const stage = stagesOf(tell)
  stage('the day is paid')
  const { dayMs, lastJournal, postings, items, nodeRssMb } = await measureDay(cluster, NOW)
  stage('the floor under it')
  const { insertMs, updateMs, ...floor } = await measureFloor(cluster.ownerUrl, lastJournal, BATCH)
  if (options.registrations) stage('registrations')
  const registrationMs = options.registrations ? await registerThem(cluster, options) : null
  if (options.readers) stage('readers, idle and while the next day is paid')
  const readersMs = options.readers ? await payWatched(cluster, options) : null
  if (options.check) stage('the check of the ledger')
  const faults = options.check ? await faultsOf(cluster) : null
  stage('done')
  const floorMs = { insert: insertMs, update: updateMs, total: insertMs + updateMs }
  return {
    loadMs: load.ms,
    investments: load.investments,
    floorMs,
    dayMs,
    ratio: dayMs.total / floorMs.total,
    nodeRssMb,
    rows: { postings, items, floorPostings: floor.postings, balances: floor.balances },
    perMemberUs: (dayMs.total * 1000) / options.members,
    registrationMs,
    readersMs,
    faults,
  }
}

/** What was not asked for is null. */
export async function runPayouts(options: PayoutsOptions, tell: Tell): Promise<Outcome> {
  const { members, shape, seed, thin } = options
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  const measured = await measure(cluster, options, tell).finally(() => cluster.stop())
  const figures = { benchmark: 'payouts', members, shape, seed, thin, ...machine, ...measured }
  return { table: tableOf(figures), figures, failed: (measured.faults ?? []).length > 0 }
}

type Figures = Awaited<ReturnType<typeof measure>> &
  Machine &
  Pick<PayoutsOptions, 'members' | 'shape' | 'thin'>

function tableOf(figures: Figures): string {
  const { members, shape, thin, dayMs, floorMs, rows, registrationMs, readersMs, faults } = figures
  return columnsOf([
    ['network', `${count(members)} members, ${shape}${thin ? ', thin' : ''}; ${machineLine(figures)}`],
    ['loaded', `${count(figures.investments)} investments in ${ms(figures.loadMs)}`],
    ['paid', `${count(rows.postings)} postings from ${count(rows.items)} items`],
    ['direct', ms(dayMs.direct)],
    ['passive', ms(dayMs.passive)],
    ['binary', ms(dayMs.binary)],
    ['the day', `${ms(dayMs.total)}: ${figures.perMemberUs.toFixed(2)} µs a member`],
    ['floor, insert', `${ms(floorMs.insert)} for ${count(rows.floorPostings)} postings`],
    ['floor, update', `${ms(floorMs.update)} for ${count(rows.balances)} balances`],
    ['day / floor', `${figures.ratio.toFixed(2)}×`],
    ['memory', `${count(figures.nodeRssMb)} MB at most in the paying process`],
    ...(registrationMs === null ? [] : registrationLines(registrationMs)),
    ...(readersMs === null ? [] : readerLines(readersMs)),
    ...(faults === null ? [] : [['ledger', faults.length === 0 ? 'clean' : faults.join('; ')]]),
  ])
}

const registrationLines = ({ random, deepest }: Registrations) => [
  ['registrations, random', spread(random)],
  ['registrations, deepest', spread(deepest)],
]

const readerLines = ({ idle, paying, ratio: { p50, p99 } }: Felt) => [
  ...readingLines('idle', idle),
  ...readingLines('while paying', paying),
  ['dashboards, ratio', `median ${p50.toFixed(1)}×, p99 ${p99.toFixed(1)}×`],
]

function readingLines(name: string, { reads, deposits, skipped, failed, firstFailure }: Readings) {
  const troubles = [
    ...(skipped > 0 ? [`; ${count(skipped)} gave up waiting`] : []),
    ...(failed > 0 ? [`; ${count(failed)} failed, the first with ${firstFailure}`] : []),
  ]
  return [
    [`dashboards, ${name}`, `${count(reads.count)} reads: ${spread(reads)}${troubles.join('')}`],
    [`deposits, ${name}`, `${count(deposits.count)} credited: ${spread(deposits)}`],
  ]
}
