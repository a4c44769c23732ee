/** `npm run bench -- genealogy`: what members ask of their downline in a network of any size, and registrations meanwhile. */
import { type Connection, connect } from '@aval/db'
import { countTeam } from '../apps/server/src/features/genealogy/downline.queries.ts'
import { numberTrees } from '../apps/server/src/features/genealogy/numbering.commands.ts'
import { execArguments } from '../tools/supervisor/processes.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner } from './database.sql.ts'
import type { CallsRequest } from './genealogy-child.ts'
import { type Spread, timed } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { loadInChild } from './payouts.ts'
import { startChild } from './processes.ts'
import { measureRegistrations } from './registration.ts'
import { count, machineLine, machineNow, type Outcome, stagesOf, type Tell } from './report.ts'

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

async function measure(cluster: Cluster, { members, seed }: PayoutsOptions, stage: Tell) {
  const server = connect(cluster.serverUrl, 10)
  try {
    stage('both trees are numbered')
    const numberingMs = await timed(() => numberTrees(server.db, new Date()))
    await asOwner(cluster.ownerUrl, analyse)
    stage('registrations')
    const registrations = await measureRegistrations(server, members, seed)
    stage('calls')
    const calls = await callsInChild({ serverUrl: cluster.serverUrl, members, seed })
    stage('registrations while the trees are numbered again')
    const numbering = numberTrees(server.db, new Date())
    const whileNumbering = await measureRegistrations(server, members, seed + 1, 'later')
    await numbering
    await audit(server, members + registrations.registered + whileNumbering.registered)
    const all = [
      ['registration', registrations.all],
      ['registration while numbering', whileNumbering.all],
    ] as const
    return { numberingMs, callsMs: Object.fromEntries<Spread>([...calls, ...all]) }
  } finally {
    await server.close()
  }
}

export async function runGenealogy(options: PayoutsOptions, tell: Tell): Promise<Outcome> {
  const { members, shape, seed } = options
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  try {
    tell(`PostgreSQL is in ${cluster.place}; the network goes in:`)
    const { ms: loadMs } = await loadInChild(cluster, { ...options, thin: false })
    const stage = stagesOf(tell)
    const measured = await measure(cluster, options, stage)
    stage('done')
    const figures = { benchmark: 'genealogy', members, shape, seed, ...machine, loadMs, ...measured }
    const { numberingMs, callsMs } = measured
    const table = [
      `${count(members)} members, ${shape}; ${machineLine(machine)}`,
      `loaded in ${(loadMs / 1000).toFixed(1)} s, both trees numbered in ${(numberingMs / 1000).toFixed(1)} s`,
      `${'ms'.padEnd(32)}     p50     p99 slowest`,
      ...Object.entries(callsMs).map(([name, { p50, p99, slowest }]) =>
        [name.padEnd(32), ...[p50, p99, slowest].map((time) => time.toFixed(1).padStart(7))].join(' '),
      ),
    ].join('\n')
    return { table, figures }
  } finally {
    await cluster.stop()
  }
}
