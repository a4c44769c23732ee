/**
 * `npm run bench -- console`: every call that the console reads by, over HTTP, on the network and the ledger of a large company. Beside
 * each stands what the smallest call of an operator takes in the same run: its session is looked up, and nothing else is read.
 */
import { randomBytes } from 'node:crypto'
import { Agent, get } from 'node:http'
import { connect } from '@aval/db'
import type pg from 'pg'
import { signAccess } from '../apps/server/src/core/access-token.ts'
import { sumDays, sumMembers } from '../apps/server/src/features/company-days/company-days.commands.ts'
import { numberWhenDue } from '../apps/server/src/features/genealogy/numbering.commands.ts'
import { declaredRoutes } from '../apps/server/src/testing/declared-routes.ts'
import { execArguments } from '../tools/supervisor/processes.ts'
import { freePort } from '../tools/testing/free-port.ts'
import { type Cluster, openCluster, reopenCluster } from './cluster.ts'
import {
  hasBusiness,
  insertBusiness,
  insertDeposits,
  insertOperators,
  type Samples,
  selectSamples,
  selectSize,
} from './console.sql.ts'
import { CONSOLE_QUERIES } from './console-queries.ts'
import { analyse, asOwner } from './database.sql.ts'
import { msSince, type Spread, spreadOf } from './measures.ts'
import type { ConsoleOptions } from './options.ts'
import { startProgram } from './processes.ts'
import {
  columnsOf,
  count,
  hundredth,
  machineLine,
  machineNow,
  ms,
  type Outcome,
  stagesOf,
  type Tell,
} from './report.ts'
import { payYears } from './years.ts'

const PROGRAM = 'apps/server/src/main.ts'
const API_HEAP_MB = 256
/** Each may read ten times a second. */
const OPERATORS = 200
const ROUNDS = 60
const BASELINE = '/operator/me/'
const WHY = '/operator/members/:id/payments/:payment/why/'

interface Measured {
  readonly path: string
  readonly times: Spread
}

/** The calls that read, by their paths; files are streamed, and not waited for. */
async function readingCalls(): Promise<string[]> {
  const calls = await declaredRoutes()
  return calls
    .filter(
      ({ call, access, produces }) =>
        access === 'operator' && call.startsWith('GET ') && produces === undefined,
    )
    .map(({ call }) => call.replace('GET ', ''))
}

/** A path with one of its things named. @throws for a kind of thing that nobody made */
function named(path: string, samples: Samples, turn: number): string {
  const whole = samples[path]
  if (whole !== undefined) return whole[turn % whole.length] ?? path
  return path.replace(/([^/]+)\/:\w+/g, (_whole, kind: string) => {
    const ids = samples[kind] ?? []
    const id = ids[turn % ids.length]
    if (id === undefined) throw new Error(`${path}: there is nothing called ${kind} to ask for`)
    return `${kind}/${id}`
  })
}

function asking(port: number, tokens: readonly string[]) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  let turn = 0
  const ask = (path: string) =>
    new Promise<{ took: number; text: string }>((resolve, reject) => {
      turn += 1
      const headers = { authorization: `Bearer ${tokens[turn % tokens.length]}` }
      const begun = performance.now()
      get({ port, host: '127.0.0.1', path: `/api${path}`, headers, agent }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        answer.on('end', () =>
          answer.statusCode === 200
            ? resolve({ took: msSince(begun), text })
            : reject(new Error(`${path} answered ${answer.statusCode}: ${text.slice(0, 300)}`)),
        )
      }).on('error', reject)
    })
  return { ask, end: () => agent.destroy() }
}

type Ask = ReturnType<typeof asking>['ask']

/** A payment is one of its member: the newest of each of the members is asked about. */
async function paymentPaths(ask: Ask, members: readonly string[]): Promise<string[]> {
  const paths: string[] = []
  for (const member of members) {
    const list = `/operator/members/${member}/payments/`
    const { results } = JSON.parse((await ask(list)).text) as { results: { id: string }[] }
    paths.push(...results.slice(0, 1).map(({ id }) => `${list}${id}/why/`))
  }
  return paths
}

async function measureCalls(port: number, tokens: readonly string[], things: Samples, stage: Tell) {
  const { ask, end } = asking(port, tokens)
  const samples = { ...things, [WHY]: await paymentPaths(ask, things['members'] ?? []) }
  const measured: Measured[] = []
  const baseline: number[] = []
  try {
    for (const call of await readingCalls())
      for (const query of CONSOLE_QUERIES[call] ?? ['']) {
        const times: number[] = []
        for (let round = -3; round < ROUNDS; round += 1) {
          const { took } = await ask(named(call, samples, round + 3) + query)
          if (round < 0) continue
          times.push(took)
          baseline.push((await ask(BASELINE)).took)
        }
        measured.push({ path: call + query, times: spreadOf(times) })
        stage(`${call}${query}`)
      }
  } finally {
    end()
  }
  return { measured, baseline: spreadOf(baseline) }
}

/** A ledger that is kept may be of another benchmark, with members and payments alone. */
async function fill(cluster: Cluster, options: ConsoleOptions, tell: Tell): Promise<void> {
  if (options.kept === undefined) await payYears(cluster, options, tell)
  await asOwner(cluster.ownerUrl, async (owner) => {
    if (await hasBusiness(owner)) return
    await insertBusiness(owner)
    await insertDeposits(owner)
    await analyse(owner)
  })
}

/**
 * What the worker's jobs keep: the numbers of the trees, and sums, made once from all there is, and once more as every ten minutes and every
 * hour. Milliseconds.
 */
async function keepSums(workerUrl: string) {
  const worker = connect(workerUrl, 1, 'aval-worker')
  const timed = async (work: () => Promise<unknown>) => {
    const begun = performance.now()
    await work()
    return msSince(begun)
  }
  try {
    const now = new Date()
    const numbers = await timed(() => numberWhenDue(worker.db, now))
    const first = await timed(() => sumDays(worker.db, now))
    const days = await timed(() => sumDays(worker.db, now))
    return { numbers, first, days, members: await timed(() => sumMembers(worker.db, now)) }
  } finally {
    await worker.close()
  }
}

async function measure(cluster: Cluster, owner: pg.Client, stage: Tell) {
  const [port, key] = [await freePort(), randomBytes(32)]
  const sessions = await insertOperators(owner, OPERATORS)
  const tokens = await Promise.all(sessions.map((session) => signAccess(key, session, new Date())))
  const environment = {
    ROLE: 'api',
    PORT: String(port),
    DATABASE_URL: cluster.apiUrl,
    LOG_LEVEL: 'silent',
    JWT_KEY: key.toString('hex'),
    CAPTCHA_KEY: '22'.repeat(32),
    SEAL_KEY: '33'.repeat(32),
  }
  const api = await startProgram(PROGRAM, environment, execArguments(API_HEAP_MB))
  try {
    return await measureCalls(port, tokens, await selectSamples(owner), stage)
  } finally {
    await api.stop()
  }
}

export async function runConsole(options: ConsoleOptions, tell: Tell): Promise<Outcome> {
  const machine = machineNow(tell)
  const cluster = await (options.kept === undefined ? openCluster(options) : reopenCluster(options.kept))
  try {
    await fill(cluster, options, tell)
    const size = await asOwner(cluster.ownerUrl, selectSize)
    tell(`${count(size.members)} members, ${count(size.postings)} postings`)
    const sums = await keepSums(cluster.workerUrl)
    const { measured, baseline } = await asOwner(cluster.ownerUrl, (owner) =>
      measure(cluster, owner, stagesOf(tell)),
    )
    const line = ({ path, times }: Measured) => [
      path,
      `${ms(times.p50)}, 99th ${ms(times.p99)}, ${hundredth(times.p50 / baseline.p50)}×`,
    ]
    const table = columnsOf([
      [
        `${count(size.members)} members, ${size.days} days paid, ${count(size.postings)} postings; ${machineLine(machine)}`,
      ],
      [
        'numbers of the trees; sums by day: of all, then again; by member',
        `${ms(sums.numbers)}; ${ms(sums.first)}, ${ms(sums.days)}; ${ms(sums.members)}`,
      ],
      [`${BASELINE}, which reads nothing`, `${ms(baseline.p50)}, 99th ${ms(baseline.p99)}`],
      ...measured.toSorted((left, right) => right.times.p99 - left.times.p99).map(line),
    ])
    const figures = {
      benchmark: 'console',
      ...size,
      ...machine,
      sums,
      baseline,
      measured,
    }
    return { table, figures }
  } finally {
    await cluster.stop()
  }
}
