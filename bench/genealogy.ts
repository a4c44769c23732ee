/** `npm run bench -- genealogy`: what members ask of their downline in a network of any size, and registrations beside it. */
import { availableParallelism, loadavg } from 'node:os'
import { type Connection, connect, inTransaction } from '@aval/db'
import pg from 'pg'
import { openSession } from '../apps/server/src/features/accounts/sessions.commands.ts'
import { countTeam } from '../apps/server/src/features/genealogy/downline.commands.ts'
import { numberTrees } from '../apps/server/src/features/genealogy/numbering.commands.ts'
import { features } from '../apps/server/src/features.ts'
import { type Api, buildServer } from '../apps/server/src/http/server.ts'
import { testConfig } from '../apps/server/src/http/testing.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse } from './database.sql.ts'
import { NOW } from './dates.ts'
import { selectLeader, selectMostReferrals } from './genealogy.sql.ts'
import { type Asker, callsOf, measureCalls } from './genealogy-calls.ts'
import type { PayoutsOptions } from './options.ts'
import { loadInChild } from './payouts.ts'
import { type Chance, chanceFrom } from './random.ts'
import { measureRegistrations, type Registrations } from './registration.ts'
import { msSince, type Spread, tenth } from './timing.ts'

export interface GenealogyResult {
  readonly options: PayoutsOptions
  readonly cores: number
  readonly loadAverage: number
  readonly loadMs: number
  readonly numberingMs: number
  readonly calls: ReadonlyMap<string, Spread>
  readonly registrations: Registrations
  readonly whileNumbering: Registrations
}

const TYPICAL = 200

async function signIn(server: Connection, memberId: number): Promise<Asker> {
  const context = { db: server.db, config: testConfig('postgres://nobody@127.0.0.1/none') }
  const { access } = await inTransaction(server.db, (tx) =>
    openSession(
      { ...context, clock: { now: async () => NOW } },
      tx,
      { memberId: BigInt(memberId), userAgent: 'bench' },
      new Date(),
    ),
  )
  return { memberId, authorization: `Bearer ${access}` }
}

async function measure(
  server: Connection,
  api: Api,
  members: number,
  chance: Chance,
): Promise<Map<string, Spread>> {
  const star = await selectMostReferrals(server.pool)
  const typical: Asker[] = []
  for (let count = 0; count < TYPICAL; count += 1)
    typical.push(await signIn(server, 1 + chance.below(members)))
  const askers = {
    root: await signIn(server, 1),
    leader: await signIn(server, await selectLeader(server.pool)),
    typical,
  }
  return measureCalls(api, callsOf(askers, { members, star }, chance))
}

/** Everybody is counted: those loaded, and those who registered meanwhile. */
async function audit({ db }: Connection, all: number): Promise<void> {
  const { direct, indirect } = await countTeam(db, 1n)
  if (direct + indirect !== all - 1) throw new Error(`${direct + indirect} below the root of ${all}`)
}

const asOwner = async (url: string, work: (client: pg.Client) => Promise<void>) => {
  const client = new pg.Client({ connectionString: url, application_name: 'bench' })
  await client.connect()
  await work(client).finally(() => client.end())
}

async function measureAll(
  cluster: Cluster,
  options: PayoutsOptions,
  stage: (line: string) => void,
): Promise<Omit<GenealogyResult, 'options' | 'cores' | 'loadAverage' | 'loadMs'>> {
  const server = connect(cluster.serverUrl, 10, 'aval-api')
  const config = testConfig(cluster.serverUrl)
  const api = await buildServer({ db: server.db, config, clock: { now: async () => NOW } }, features)
  try {
    await api.ready()
    stage('both trees are numbered')
    const begun = performance.now()
    await numberTrees(server.db, new Date())
    const numberingMs = msSince(begun)
    await asOwner(cluster.ownerUrl, analyse)
    stage('registrations')
    const { members, seed } = options
    const registrations = await measureRegistrations(server, members, seed)
    stage('calls')
    const calls = await measure(server, api, members, chanceFrom(seed))
    stage('registrations while the trees are numbered anew')
    const numbering = numberTrees(server.db, new Date())
    const whileNumbering = await measureRegistrations(server, members, seed + 1, 'later')
    await numbering
    await audit(server, members + registrations.registered + whileNumbering.registered)
    return { numberingMs, calls, registrations, whileNumbering }
  } finally {
    await api.close()
    await server.close()
  }
}

/** @param tell hears what is being done, a line each */
export async function runGenealogy(
  options: PayoutsOptions,
  tell: (line: string) => void,
): Promise<GenealogyResult> {
  const [loadAverage = 0] = loadavg()
  const cluster = await openCluster(options)
  try {
    tell(`PostgreSQL is in ${cluster.place}; the network goes in:`)
    const loaded = await loadInChild(cluster, { ...options, thin: false })
    const begun = performance.now()
    const stage = (line: string) => tell(`${(msSince(begun) / 1000).toFixed(1).padStart(7)} s  ${line}`)
    const measured = await measureAll(cluster, options, stage)
    stage('done')
    return { options, cores: availableParallelism(), loadAverage, loadMs: loaded.ms, ...measured }
  } finally {
    await cluster.stop()
  }
}

function rowsOf({ calls, registrations, whileNumbering }: GenealogyResult): [string, Spread][] {
  return [...calls, ['registration', registrations.all], ['registration while numbering', whileNumbering.all]]
}

export function tableOf(result: GenealogyResult): string {
  const ms = (value: number) => value.toFixed(1).padStart(7)
  const { options, cores, loadAverage, loadMs, numberingMs } = result
  return [
    `${options.members.toLocaleString('en')} members, ${options.shape}; ${cores} cores, load average ${loadAverage.toFixed(1)}`,
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
    calls_ms: Object.fromEntries(
      rowsOf(result).map(([name, { count, p50, p99, slowest }]) => [
        name,
        { count, p50: tenth(p50), p99: tenth(p99), slowest: tenth(slowest) },
      ]),
    ),
  })
}
