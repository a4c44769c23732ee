/**
 * `npm run bench -- events`: what an open stream takes of the API's memory, beside a bare server of Node that holds as many
 * connections, and how long a notice to all of them is under way.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type pg from 'pg'
import { z } from 'zod'
import { execArguments } from '../tools/supervisor/processes.ts'
import { freePort } from '../tools/testing/free-port.ts'
import { openCluster } from './cluster.ts'
import { asOwner } from './database.sql.ts'
import { announceMoney, insertSignedIn, type OpenSession } from './events.sql.ts'
import { rssOfKb, spreadOf, tenth, timed } from './measures.ts'
import { type EventsOptions, UsageError } from './options.ts'
import { type Child, startChild, startProgram } from './processes.ts'
import {
  columnsOf,
  count,
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
const A_CLIENT = 5_000
/** Files that a process has open besides. */
const OTHER_FILES = 100
/** A heartbeat reaches every stream in this time, and what opening them left behind is collected. */
const SETTLE_MS = 30_000
const BATCHES = 10
const SINGLES = 200

const floorAnswer = z.object({ port: z.int(), pid: z.int() })

/** Each process on the other side has fewer; the API and the floor hold all of them. @throws UsageError */
async function requireFiles(streams: number): Promise<void> {
  const { stdout } = await promisify(execFile)('sh', ['-c', 'ulimit -Hn'])
  const most = stdout.trim() === 'unlimited' ? Number.POSITIVE_INFINITY : Number.parseInt(stdout, 10)
  const needed = streams + OTHER_FILES
  if (most < needed)
    throw new UsageError(
      `--streams ${streams} needs ${needed} open files, and a process may have ${most} here: raise it (ulimit -Hn), or ask for fewer`,
    )
}

/** Opens all streams, from as many processes as it takes. */
async function openAll(
  clients: readonly Child[],
  sessions: readonly OpenSession[],
  port: number,
  key: Uint8Array,
) {
  const parts = clients.map((_, place) => sessions.slice(place * A_CLIENT, (place + 1) * A_CLIENT))
  await Promise.all(
    clients.map((client, place) => client.ask({ ask: 'open', port, key, sessions: parts[place] ?? [] })),
  )
  return parts.map((part) => part.length)
}

/** Memory that a process holds more, in kB a connection, once these are open. */
async function memoryOf(pid: number, streams: number, open: () => Promise<unknown>) {
  const before = await rssOfKb(pid)
  const openedMs = await timed(open)
  await pause(SETTLE_MS)
  const after = await rssOfKb(pid)
  return { beforeKb: before, afterKb: after, eachKb: tenth((after - before) / streams), openedMs }
}

const clientsFor = (streams: number) =>
  Array.from({ length: Math.ceil(streams / A_CLIENT) }, () => startChild('events-clients.ts'))

async function withClients<Result>(streams: number, work: (clients: Child[]) => Promise<Result>) {
  const clients = clientsFor(streams)
  try {
    return await work(clients)
  } finally {
    await Promise.all(clients.map((client) => client.end()))
  }
}

async function measureFloor(sessions: readonly OpenSession[]) {
  const child = startChild('events-floor.ts', execArguments(API_HEAP_MB))
  try {
    const { port, pid } = floorAnswer.parse(await child.ask({}))
    return await withClients(sessions.length, (clients) =>
      memoryOf(pid, sessions.length, () => openAll(clients, sessions, port, randomBytes(32))),
    )
  } finally {
    await child.end()
  }
}

const wallNow = () => performance.timeOrigin + performance.now()

/** From a notice to the last event that it causes, in milliseconds. */
async function underWay(
  owner: pg.Client,
  clients: readonly Child[],
  expected: readonly number[],
  [first, last]: readonly [bigint, bigint],
) {
  const heard = clients.flatMap((client, place) => {
    const wanted = expected[place] ?? 0
    return wanted === 0 ? [] : [client.ask({ ask: 'heard', count: wanted })]
  })
  const begun = wallNow()
  await announceMoney(owner, first, last)
  return Math.max(...(await Promise.all(heard)).map((at) => z.number().parse(at))) - begun
}

async function measureApi(
  serverUrl: string,
  owner: pg.Client,
  port: number,
  key: Buffer,
  sessions: readonly OpenSession[],
) {
  const secrets = { JWT_KEY: key.toString('hex'), CAPTCHA_KEY: '22'.repeat(32), SEAL_KEY: '33'.repeat(32) }
  const environment = {
    ROLE: 'api',
    PORT: String(port),
    DATABASE_URL: serverUrl,
    LOG_LEVEL: 'silent',
    ...secrets,
  }
  const api = await startProgram('apps/server/src/main.ts', environment, execArguments(API_HEAP_MB))
  try {
    return await withClients(sessions.length, async (clients) => {
      let parts: number[] = []
      const memory = await memoryOf(api.pid, sessions.length, async () => {
        parts = await openAll(clients, sessions, port, key)
      })
      const ids = sessions.map(({ memberId }) => memberId)
      const [first = 0n, last = 0n] = [ids[0], ids.at(-1)]
      const batches: number[] = []
      for (let round = 0; round < BATCHES; round += 1)
        batches.push(await underWay(owner, clients, parts, [first, last]))
      const singles: number[] = []
      for (let round = 0; round < SINGLES; round += 1)
        singles.push(await underWay(owner, clients, [1], [first, first]))
      return { memory, batchMs: spreadOf(batches), singleMs: spreadOf(singles) }
    })
  } finally {
    await api.stop()
  }
}

export async function runEvents(options: EventsOptions, tell: Tell): Promise<Outcome> {
  const { streams } = options
  await requireFiles(streams)
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  try {
    const stage = stagesOf(tell)
    return await asOwner(cluster.ownerUrl, async (owner) => {
      const sessions = await insertSignedIn(owner, streams)
      stage(`${count(streams)} connections to a bare server`)
      const floor = await measureFloor(sessions)
      stage(`${count(streams)} streams of the API`)
      const api = await measureApi(cluster.serverUrl, owner, await freePort(), randomBytes(32), sessions)
      stage('done')
      const { memory, batchMs, singleMs } = api
      const table = columnsOf([
        [`${count(streams)} streams; ${machineLine(machine)}`],
        ['The API before', `${count(memory.beforeKb / 1024)} MB`],
        ['with all streams', `${count(memory.afterKb / 1024)} MB, ${memory.eachKb} kB each`],
        [
          'Floor: a bare server of Node',
          `${count(floor.beforeKb / 1024)}, then ${count(floor.afterKb / 1024)} MB, ${floor.eachKb} kB each`,
        ],
        ['Opening all of them', `${ms(memory.openedMs)} (floor ${ms(floor.openedMs)})`],
        ['A notice to all, until the last has it', spread(batchMs)],
        ['A notice to one', spread(singleMs)],
      ])
      return { table, figures: { benchmark: 'events', streams, ...machine, floor, ...api } }
    })
  } finally {
    await cluster.stop()
  }
}
