/** The whole product beside a benchmark: its own processes, kept up by its own supervisor, on a database that is given. */
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, connect } from '@aval/db'
import { serverLogin } from '@aval/db/testing'
import type pg from 'pg'
import { parseConfig } from '../apps/server/src/config.ts'
import { type Context, systemClock } from '../apps/server/src/core/context.ts'
import { childEnvironment, parseStartConfig, type StartConfig } from '../tools/core/config.ts'
import { devnetEnvironment, serverEnvironment } from '../tools/supervisor/environment.ts'
import { product as layout } from '../tools/supervisor/layout.ts'
import { runningIn } from '../tools/supervisor/run-file.ts'
import type { Screen } from '../tools/supervisor/screen.ts'
import { readSecrets } from '../tools/supervisor/secrets.ts'
import { Run } from '../tools/supervisor/supervise.ts'
import { freePort } from '../tools/testing/free-port.ts'
import { asOwner } from './database.sql.ts'
import { peakRssOfMb, processorSecondsOf, processorSecondsOfServer } from './measures.ts'
import { DEVNET_PROGRAM, type Program, startProgram } from './processes.ts'
import { selectSessions } from './withdrawals.sql.ts'

/** A folder and ports for a product, and its settings. */
export interface Place {
  readonly config: StartConfig
  readonly devnetUrl: string
}

export interface Product {
  readonly url: string
  /** Commands as the server runs them, over connections of the benchmark's. */
  readonly context: Context
  readonly server: Connection
  /** The worker stands still meanwhile: its mail takes minutes, and a core. Not for longer than some seconds. */
  whileTheWorkerRests<Result>(work: () => Promise<Result>): Promise<Result>
  /** The most memory that each process has held so far, in MB, by its name in `run.json`. */
  memory(): Promise<Readonly<Record<string, number>>>
  /** What each has used of processors so far, in seconds; `postgres` are the sessions of all of them, those that have ended too. */
  processorSeconds(): Promise<Readonly<Record<string, number>>>
  stop(): Promise<void>
}

/** Nobody looks at the web app; the page of approvals is built, as its process serves nothing else. */
const LAYOUT = { ...layout, web: null }

/** More than any of it moves: amounts are whole USDT. */
const NO_LIMIT = '999999999'

/** The folder goes when this process ends, however it does but by -9. */
export async function choosePlace(folder: string | undefined, databaseUrl: string): Promise<Place> {
  const dataDir = await mkdtemp(join(folder ?? tmpdir(), 'aval-bench-'))
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 }))
  const [port, devnetPort, approvalsPort] = [await freePort(), await freePort(), await freePort()]
  const config = parseStartConfig(
    childEnvironment({
      DATA_DIR: dataDir,
      DATABASE_URL: databaseUrl,
      HOST: '127.0.0.1',
      PORT: String(port),
      DEVNET_PORT: String(devnetPort),
      APPROVALS_PORT: String(approvalsPort),
      APPROVALS_URL: undefined,
      APPROVALS_HOST: undefined,
      DEVNET_BLOCK_MS: '1000',
      DEVNET_SOLID_LAG: '3',
      DEMO: 'off',
      DEMO_PASSWORD: undefined,
      PUBLIC_URL: undefined,
      TRON_NETWORK: 'devnet',
      TRON_NODES: undefined,
      SMTP_URL: undefined,
      CAPTCHA: 'off',
      COOLING_HOURS: '0',
      LOG_LEVEL: 'warn',
      // Nothing moves but withdrawals.
      SWEEP_FROM: NO_LIMIT,
      HOT_MAXIMUM: NO_LIMIT,
      HOT_TARGET: NO_LIMIT,
      SIGNER: 'on',
      SIGNER_KEYS: undefined,
      SIGNER_PASSPHRASE: undefined,
    }),
  )
  return { config, devnetUrl: `http://127.0.0.1:${devnetPort}` }
}

/** Its chain alone, which the product goes on with later. */
export function startChainOf({ config }: Place): Promise<Program> {
  return startProgram(DEVNET_PROGRAM, devnetEnvironment(config))
}

/** A screen on which nothing is seen; it hears when everything is up. */
function silentScreen(ready: () => void): Screen {
  return {
    step: () => undefined,
    progress: () => undefined,
    done: () => undefined,
    line: (text) => {
      if (text.includes('Aval is ready')) ready()
    },
    error: (text) => void process.stderr.write(`${text}\n`),
  }
}

async function ofEach(
  processes: readonly (readonly [name: string, pid: number])[],
  ask: (pid: number) => Promise<number>,
): Promise<Readonly<Record<string, number>>> {
  const answers = processes.map(async ([name, pid]) => [name, await ask(pid)] as const)
  return Object.fromEntries(await Promise.all(answers))
}

/** Starts it as `npm start` does; ready when this returns. */
export async function startProduct({ config }: Place, owner: pg.Client): Promise<Product> {
  const up = Promise.withResolvers<void>()
  const run = new Run(config, LAYOUT, silentScreen(up.resolve))
  // Before its folder goes with this process: a process that still writes there would keep it.
  process.prependOnceListener('exit', () => run.force())
  const over = run.run()
  const early = over.then(() => {
    throw new Error('the product ended before it was ready')
  })
  await Promise.race([up.promise, early])
  early.catch(() => undefined)
  const running = () => runningIn(config.dataDir)
  /** Those of the product; the supervisor is this process. */
  const processes = async () =>
    Object.entries((await running()).pids).filter(([name]) => name !== 'supervisor')
  const { databases } = await running()
  const serverUrl = await asOwner(databases.owner, (owner) => serverLogin(owner, databases.owner))
  const server = connect(serverUrl, 8, 'bench')
  const secrets = await readSecrets(config.dataDir)
  const database = {
    ownerUrl: databases.owner,
    apiUrl: databases.api,
    workerUrl: databases.worker,
    gatewayUrl: databases.gateway,
    signerUrl: databases.signer,
    approvalsUrl: databases.approvals,
    auditorUrl: databases.auditor,
    port: null,
    superuserUrl: null,
    pid: () => null,
    stop: () => Promise.resolve(),
  }
  const environment = serverEnvironment('api', config, secrets, database, LAYOUT)
  return {
    url: `http://127.0.0.1:${config.port}`,
    context: { db: server.db, clock: systemClock, config: parseConfig(environment) },
    server,
    async whileTheWorkerRests(work) {
      const { worker } = (await running()).pids
      if (worker === undefined) throw new Error('no worker runs')
      process.kill(worker, 'SIGSTOP')
      return work().finally(() => process.kill(worker, 'SIGCONT'))
    },
    memory: async () => ofEach(await processes(), async (pid) => (await peakRssOfMb(pid)) ?? 0),
    async processorSeconds() {
      const [session = 0] = await selectSessions(owner)
      const postgres = await processorSecondsOfServer(session)
      return { ...(await ofEach(await processes(), processorSecondsOf)), postgres }
    },
    async stop() {
      await server.close()
      run.requestStop()
      await over
    },
  }
}
