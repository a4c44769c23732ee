/**
 * A PostgreSQL to measure on, with the settings that `npm start` runs it with: durability on (fsync, full pages, checksums),
 * 64 MB of shared buffers. Not the one of the tests, which forces nothing to the disk.
 */
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbedded } from '@aval/db/embedded'
import { type Passwords, PROCESSES, prepareDatabase } from '@aval/db/prepare'
import { serverLogin } from '@aval/db/testing'
import { asOwner, holdsTables } from './database.sql.ts'
import { type ChainOptions, UsageError } from './options.ts'
import { startAuditor } from './processes.ts'

type ClusterOptions = Pick<ChainOptions, 'folder' | 'keep' | 'databaseUrl'>

export interface Cluster {
  /** Of the superuser, who may fill tables behind their guards; of a database that is given, its owner. */
  readonly ownerUrl: string
  readonly serverUrl: string
  readonly apiUrl: string
  readonly workerUrl: string
  readonly gatewayUrl: string
  readonly signerUrl: string
  /** Where the data is, and how to reach what is kept; for people. */
  readonly place: string
  /** With the cluster in `postgres`; null where the database is another server's. */
  readonly folder: string | null
  /** Safe to call again. */
  stop(): Promise<void>
}

const newPassword = () => randomBytes(12).toString('hex')
/** Of the owner of a cluster that is kept: one who looks at it later has to sign in. */
const KEPT_PASSWORD = 'bench'

/** Asked before anything is prepared: that would give the roles of an installation new passwords. */
const isUsed = (databaseUrl: string): Promise<boolean> => asOwner(databaseUrl, holdsTables)

async function prepared(ownerUrl: string) {
  const passwords = Object.fromEntries(PROCESSES.map((name) => [name, newPassword()])) as Passwords
  const addresses = await prepareDatabase(ownerUrl, passwords)
  const serverUrl = await asOwner(ownerUrl, (owner) => serverLogin(owner, ownerUrl))
  const auditor = await startAuditor(addresses.auditorUrl)
  return { ownerUrl, ...addresses, serverUrl, stopAuditor: auditor.stop }
}

/**
 * In the system's temporary folder a throw-away cluster is called like those of the tests: should this process be killed
 * with -9, the next test run stops the server and removes the folder (db/src/ephemeral.ts).
 */
async function newFolder({ folder, keep }: ClusterOptions): Promise<string> {
  const parent = folder ?? tmpdir()
  await mkdir(parent, { recursive: true })
  return mkdtemp(join(parent, keep ? 'aval-bench-kept-' : `aval-postgres-${process.pid}-`))
}

/** A signal ends the process, but not before the server is stopped and its folder removed. */
function stopOnSignals(stop: () => Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stop().finally(() => process.exit(130)))
}

/** What `--keep` left in a folder, brought to the present schema. It is kept again. */
export async function reopenCluster(dataDir: string): Promise<Cluster> {
  const { url, superuserUrl, stop } = await startEmbedded({ dataDir, password: KEPT_PASSWORD })
  stopOnSignals(stop)
  const { stopAuditor, ...addresses } = await prepared(url)
  const stopBoth = () => stopAuditor().then(stop)
  return { ...addresses, ownerUrl: superuserUrl, place: dataDir, folder: dataDir, stop: stopBoth }
}

export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { databaseUrl, keep } = options
  if (databaseUrl !== undefined) {
    if (await isUsed(databaseUrl))
      throw new UsageError('--database-url holds tables already: give an empty one')
    const place = new URL(databaseUrl).host
    const { stopAuditor: stop, ...addresses } = await prepared(databaseUrl)
    return { ...addresses, place, folder: null, stop }
  }
  const dataDir = await newFolder(options)
  const starting = startEmbedded({ dataDir, password: keep ? KEPT_PASSWORD : newPassword() })
  const place = keep ? `${dataDir} (kept; postgres signs in with ${KEPT_PASSWORD})` : dataDir
  let stopped: Promise<void> | null = null
  let stopAuditor = () => Promise.resolve()
  const stopOnce = async () => {
    await stopAuditor()
    await (await starting.catch(() => null))?.stop()
    if (!keep) await rm(dataDir, { recursive: true, force: true, maxRetries: 3 })
  }
  const stop = () => {
    stopped ??= stopOnce()
    return stopped
  }
  stopOnSignals(stop)
  try {
    const { url, superuserUrl } = await starting
    // Prepared by the owner, as `npm start` does it: the product stops payments where another one owns its tables.
    const addresses = await prepared(url)
    stopAuditor = addresses.stopAuditor
    return { ...addresses, ownerUrl: superuserUrl, place, folder: dataDir, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
