/**
 * `npm run bench -- apis`: dashboards in a second, answered by one API and by two on one port, in turns. How much more two can do
 * depends on the cores that are left: the database and the members who ask need theirs too. So the processor time of one dashboard
 * is told by who spends it.
 */
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { z } from 'zod'
import { execArguments } from '../tools/supervisor/processes.ts'
import { freePort } from '../tools/testing/free-port.ts'
import { insertSessions, sessionPid } from './apis.sql.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner } from './database.sql.ts'
import type { OpenSession } from './events.sql.ts'
import { processorSecondsOf, processorSecondsOfServer, spreadOf } from './measures.ts'
import type { PayoutsOptions } from './options.ts'
import { loadInChild } from './payouts.ts'
import { type Program, startChild, startProgram } from './processes.ts'
import {
  columnsOf,
  count,
  hundredth,
  machineLine,
  machineNow,
  ms,
  type Outcome,
  spread,
  stagesOf,
  type Tell,
} from './report.ts'

/** As the supervisor runs the API. */
const API_HEAP_MB = 256
const PROGRAM = 'apps/server/src/main.ts'
const ROUNDS = 3
const SECONDS = 8
/** Enough for either number of processes to be busy; shared out by the system, and so not evenly. */
const CONNECTIONS = 32
const MEMBERS = 500

const told = z.object({
  perSecond: z.number(),
  answered: z.object({ count: z.number(), p50: z.number(), p99: z.number(), slowest: z.number() }),
  processor: z.object({ user: z.number(), system: z.number() }),
})

interface House {
  readonly port: number
  readonly key: Buffer
  readonly sessions: readonly OpenSession[]
  /** A session of the database, by which its server is found. */
  readonly session: number
  readonly start: () => Promise<Program>
}

/** @returns what was answered, and the milliseconds of processors that one dashboard took */
async function measure({ port, key, sessions, session }: House, apis: readonly Program[], seconds: number) {
  const client = startChild('apis-clients.ts')
  const used = async () => ({
    api: (await Promise.all(apis.map(({ pid }) => processorSecondsOf(pid)))).reduce((a, b) => a + b, 0),
    database: await processorSecondsOfServer(session),
  })
  try {
    const before = await used()
    const asked = { port, key, sessions, connections: CONNECTIONS, seconds }
    const { perSecond, answered, processor } = told.parse(await client.ask(asked))
    const after = await used()
    const each = (total: number) => (total * 1000) / answered.count
    return {
      perSecond,
      answered,
      apiMs: each(after.api - before.api),
      databaseMs: each(after.database - before.database),
      askingMs: each((processor.user + processor.system) / 1e6),
    }
  } finally {
    await client.end()
  }
}

type Measured = Awaited<ReturnType<typeof measure>>

async function inTurns(house: House, stage: Tell) {
  const [one, two]: [Measured[], Measured[]] = [[], []]
  const first = await house.start()
  try {
    await measure(house, [first], 3)
    for (let round = 1; round <= ROUNDS; round += 1) {
      stage(`round ${round} of ${ROUNDS}`)
      one.push(await measure(house, [first], SECONDS))
      const second = await house.start()
      try {
        await measure(house, [first, second], 3)
        two.push(await measure(house, [first, second], SECONDS))
      } finally {
        await second.stop()
      }
    }
  } finally {
    await first.stop()
  }
  return { one, two }
}

/** By its dashboards in a second. */
const middleOf = (rounds: readonly Measured[]): Measured => {
  const sorted = rounds.toSorted((left, right) => left.perSecond - right.perSecond)
  const middle = sorted[Math.floor(sorted.length / 2)]
  if (middle === undefined) throw new Error('nothing was measured')
  return middle
}

async function openHouse(cluster: Cluster, owner: pg.Client): Promise<House> {
  await analyse(owner)
  const [port, key] = [await freePort(), randomBytes(32)]
  const environment = {
    ROLE: 'api',
    PORT: String(port),
    SHARED_PORT: 'on',
    DATABASE_URL: cluster.apiUrl,
    LOG_LEVEL: 'silent',
    JWT_KEY: key.toString('hex'),
    CAPTCHA_KEY: '22'.repeat(32),
    SEAL_KEY: '33'.repeat(32),
  }
  return {
    port,
    key,
    sessions: await insertSessions(owner, MEMBERS),
    session: await sessionPid(owner),
    start: () => startProgram(PROGRAM, environment, execArguments(API_HEAP_MB)),
  }
}

export async function runApis(options: PayoutsOptions, tell: Tell): Promise<Outcome> {
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  try {
    const stage = stagesOf(tell)
    stage(`${count(options.members)} members are made`)
    await loadInChild(cluster, options)
    return await asOwner(cluster.ownerUrl, async (owner) => {
      const rounds = await inTurns(await openHouse(cluster, owner), stage)
      stage('done')
      const [one, two] = [middleOf(rounds.one), middleOf(rounds.two)]
      const ratios = rounds.two.map(
        ({ perSecond }, round) => perSecond / (rounds.one[round]?.perSecond ?? perSecond),
      )
      const ratio = spreadOf(ratios).p50
      const cost = ({ apiMs, databaseMs, askingMs }: Measured) =>
        `API ${ms(apiMs)}, database ${ms(databaseMs)}, asking ${ms(askingMs)}`
      const line = (measured: Measured) =>
        `${count(measured.perSecond)} a second; ${spread(measured.answered)}`
      const busy = (measured: Measured) =>
        ((measured.apiMs + measured.databaseMs + measured.askingMs) * measured.perSecond) / 1000
      const table = columnsOf([
        [`${count(options.members)} members, ${CONNECTIONS} connections; ${machineLine(machine)}`],
        ['One API', line(one)],
        ['Two APIs on one port', line(two)],
        ['Ratio, median of the rounds', `${hundredth(ratio)} (${ratios.map(hundredth).join(', ')})`],
        ['Processor time of a dashboard, one API', cost(one)],
        ['with two', cost(two)],
        ['Cores in use', `${hundredth(busy(one))} with one, ${hundredth(busy(two))} with two`],
      ])
      const figures = { benchmark: 'apis', members: options.members, ...machine, ratio, ratios, one, two }
      return { table, figures }
    })
  } finally {
    await cluster.stop()
  }
}
