/** `npm run bench -- genealogy`: what members ask of their downline in a network of any size, and registrations beside it. */
import { type Connection, connect } from '@aval/db'
import { countTeam } from '../apps/server/src/features/genealogy/downline.queries.ts'
import { numberTrees } from '../apps/server/src/features/genealogy/numbering.commands.ts'
import { execArguments } from '../tools/supervisor/processes.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner } from './database.sql.ts'
import type { CallsRequest } from './genealogy-child.ts'
import { msSince, type Spread, tenth } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { loadInChild } from './payouts.ts'
import { startChild } from './processes.ts'
import { measureRegistrations, type Registrations } from './registration.ts'
import { type Machine, machineLine, machineNow, rounded, stagesOf } from './report.ts'

export interface GenealogyResult extends Machine {
  readonly options: PayoutsOptions
  readonly loadMs: number
  readonly numberingMs: number
  readonly calls: ReadonlyMap<string, Spread>
  readonly registrations: Registrations
  readonly whileNumbering: Registrations
}

/** As the supervisor runs the API. */
const API_HEAP_MB = 256

/** In a process like the API's, with nothing else in its memory. */
async function callsInChild(request: CallsRequest): Promise<ReadonlyMap<string, Spread>> {
  const child = startChild('genealogy-child.ts', execArguments(API_HEAP_MB))
  try {
    return (await child.ask(request)) as ReadonlyMap<string, Spread>
  } finally {
    await child.end()
  }
}

/** Everybody is counted: those loaded, and those who registered meanwhile. */
async function audit({ db }: Connection, all: number): Promise<void> {
  const { direct, indirect } = await countTeam(db, 1n)
  if (direct + indirect !== all - 1) throw new Error(`${direct + indirect} below the root of ${all}`)
}

async function measureAll(
  cluster: Cluster,
  options: PayoutsOptions,
  stage: (line: string) => void,
): Promise<Omit<GenealogyResult, 'options' | 'loadMs' | keyof Machine>> {
  const server = connect(cluster.serverUrl, 10)
  try {
    stage('both trees are numbered')
    const begun = performance.now()
    await numberTrees(server.db, new Date())
    const numberingMs = msSince(begun)
    await asOwner(cluster.ownerUrl, analyse)
    stage('registrations')
    const { members, seed } = options
    const registrations = await measureRegistrations(server, members, seed)
    stage('calls')
    const calls = await callsInChild({ serverUrl: cluster.serverUrl, members, seed })
    stage('registrations while the trees are numbered anew')
    const numbering = numberTrees(server.db, new Date())
    const whileNumbering = await measureRegistrations(server, members, seed + 1, 'later')
    await numbering
    await audit(server, members + registrations.registered + whileNumbering.registered)
    return { numberingMs, calls, registrations, whileNumbering }
  } finally {
    await server.close()
  }
}

/** @param tell hears what is being done, a line each */
export async function runGenealogy(
  options: PayoutsOptions,
  tell: (line: string) => void,
): Promise<GenealogyResult> {
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  try {
    tell(`PostgreSQL is in ${cluster.place}; the network goes in:`)
    const loaded = await loadInChild(cluster, { ...options, thin: false })
    const stage = stagesOf(tell)
    const measured = await measureAll(cluster, options, stage)
    stage('done')
    return { options, ...machine, loadMs: loaded.ms, ...measured }
  } finally {
    await cluster.stop()
  }
}

function rowsOf({ calls, registrations, whileNumbering }: GenealogyResult): [string, Spread][] {
  return [...calls, ['registration', registrations.all], ['registration while numbering', whileNumbering.all]]
}

export function tableOf(result: GenealogyResult): string {
  const ms = (value: number) => value.toFixed(1).padStart(7)
  const { options, loadMs, numberingMs } = result
  return [
    `${options.members.toLocaleString('en')} members, ${options.shape}; ${machineLine(result)}`,
    `loaded in ${(loadMs / 1000).toFixed(1)} s, both trees numbered in ${(numberingMs / 1000).toFixed(1)} s`,
    `${'ms'.padEnd(32)}     p50     p99 slowest`,
    ...rowsOf(result).map(
      ([name, spread]) => `${name.padEnd(32)} ${ms(spread.p50)} ${ms(spread.p99)} ${ms(spread.slowest)}`,
    ),
  ].join('\n')
}

export function jsonOf(result: GenealogyResult): string {
  const { options, cores, loadAverage, loadMs, numberingMs } = result
  return JSON.stringify({
    benchmark: 'genealogy',
    members: options.members,
    shape: options.shape,
    seed: options.seed,
    cores,
    load_average: tenth(loadAverage),
    load_ms: tenth(loadMs),
    numbering_ms: tenth(numberingMs),
    calls_ms: Object.fromEntries(rowsOf(result).map(([name, spread]) => [name, rounded(spread)])),
  })
}
