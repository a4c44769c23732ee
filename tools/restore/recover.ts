/**
 * Bringing a backup back to life: unpacked into a folder of its own, rolled forward by the log, brought to this version and checked.
 * Only then is anything of the data folder touched. The drill does the same and throws it away.
 */
import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { handOver, startEmbedded } from '@aval/db/embedded'
import { prepareDatabase } from '@aval/db/prepare'
import pg from 'pg'
import { stageLog } from '../backup/log-files.ts'
import { readPart } from '../backup/parts.ts'
import type { Backup, Store } from '../backup/store.ts'
import { untar } from '../backup/tar.ts'
import { childEnvironment, root } from '../core/config.ts'
import { lineOf, Refusal } from '../core/refusal.ts'
import { readSecrets } from '../supervisor/secrets.ts'
import { readFiles } from './files.ts'

/** What comes after the backup: all of the log, the log up to a moment, or nothing of it. */
export type Until = 'end' | Date | 'backup'

export interface RecoverOptions {
  readonly store: Store
  readonly backup: Backup
  readonly until: Until
  /** Where it is done: on the disk that the database will be on. */
  readonly within: string
  /** Is given the folder of the files beside the database before anything that takes long. */
  readonly lookAt?: (folder: string) => Promise<void>
  readonly say: (line: string) => void
  readonly progress: (done: number, total: number) => void
}

export interface Recovered {
  /** Holds `postgres` and `files`. */
  readonly folder: string
  /** When the last transaction that it has was committed; null where the log says nothing of one. */
  readonly lastCommit: Date | null
  readonly isClean: boolean
  /** Of the ledger check. */
  readonly report: string
  readonly reserves: string
  readonly remove: () => Promise<void>
}

/** As far as a recovery of a day's log on a slow disk. */
const RECOVERY_MS = 6 * 3_600_000
const LOG_FOLDER = 'aval_log'

/** @throws Refusal with the one clear line; what was unpacked is gone then */
export async function recover(
  options: RecoverOptions,
  finish: (superuserUrl: string) => Promise<void>,
): Promise<Recovered> {
  refuseNewer(options.backup)
  const folder = await mkdtemp(join(options.within, 'restoring-'))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 3 })
  try {
    const facts = await bringBack(folder, options, finish)
    return { folder, ...facts, remove }
  } catch (error) {
    await remove()
    throw error
  }
}

function refuseNewer({ manifest, folder }: Backup): void {
  const known = readdirSync(join(root, 'db/migrations')).map((name) => name.replace(/\.sql$/, ''))
  if (manifest.migration !== '' && !known.includes(manifest.migration))
    throw new Refusal(
      `${folder} was made by a newer version of Aval (it has "${manifest.migration}"): restore it with that one.`,
    )
}

async function bringBack(
  folder: string,
  options: RecoverOptions,
  finish: (superuserUrl: string) => Promise<void>,
) {
  const { store, backup, until, say } = options
  const cluster = join(folder, 'postgres')
  const { files } = backup.manifest
  await mkdir(cluster, { mode: 0o700 })
  await mkdir(join(folder, 'files'), { mode: 0o700 })
  await readFiles(join(backup.folder, files.name), files, store.key, join(folder, 'files'))
  await options.lookAt?.(join(folder, 'files'))
  say('Reading the log …')
  const log = join(cluster, LOG_FOLDER)
  const staged = until === 'backup' ? 0 : await stageLog(store, backup, log, until === 'end')
  await unpack(cluster, options)
  await mkdir(join(cluster, LOG_FOLDER), { recursive: true })
  await writeFile(join(cluster, 'recovery.signal'), '')
  await handOver(cluster)
  say(staged === 0 ? 'Recovering …' : `Recovering, with ${staged} files of the log …`)
  const { superuserPassword, database } = await readSecrets(join(folder, 'files'))
  const running = await startEmbedded({
    dataDir: folder,
    password: superuserPassword,
    flags: recoverySettings(until),
    startSilenceMs: RECOVERY_MS,
  }).catch(async (error: unknown) => {
    throw new Refusal(await explain(error, folder, until))
  })
  try {
    const lastCommit = await lastReplayed(running.superuserUrl)
    say('Checking …')
    await prepareDatabase(running.url, database)
    const { code, output } = await checkLedger(running.url)
    const reserves = await lastReserves(running.superuserUrl)
    await finish(running.superuserUrl)
    return { lastCommit, isClean: code === 0, report: output, reserves }
  } finally {
    await running.stop()
    await rm(join(cluster, LOG_FOLDER), { recursive: true, force: true })
  }
}

async function unpack(cluster: string, { store, backup, say, progress }: RecoverOptions): Promise<void> {
  const { database } = backup.manifest
  say(`Unpacking ${backup.name} …`)
  let done = 0
  await readPart(join(backup.folder, database.name), database, store.key, (content) =>
    untar(content, cluster, (bytes) => {
      done += bytes
      // Its size unpacked is not known; a quarter is what packing leaves.
      progress(done, Math.max(done, database.bytes * 4))
    }),
  )
}

/** A new timeline each time: what the old one wrote later is kept apart from what this one will write. */
function recoverySettings(until: Until): string[] {
  const target =
    until instanceof Date
      ? [`recovery_target_time=${until.toISOString().replace('T', ' ').replace('Z', '+00')}`]
      : []
  if (until === 'backup') target.push('recovery_target=immediate')
  return [
    `restore_command=cp "${LOG_FOLDER}/%f" "%p"`,
    'recovery_target_action=promote',
    'hot_standby=off', // it says that it is ready when the recovery is over
    ...target,
  ]
}

async function explain(error: unknown, folder: string, until: Until): Promise<string> {
  const log = await readFile(join(folder, 'logs/postgres.log'), 'utf8').catch(() => '')
  if (log.includes('before configured recovery target was reached') && until instanceof Date) {
    const last = /last completed transaction was at log time (.+)/.exec(log)?.[1] ?? 'the end of the backup'
    return `The log does not reach ${until.toISOString()}: the last transaction it has is of ${last}. Without --to everything there is comes back.`
  }
  return `The backup did not recover: ${lineOf(error)}`
}

async function ask<Row extends object>(url: string, text: string): Promise<Row | null> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows[0] ?? null
  } finally {
    await client.end()
  }
}

async function lastReplayed(url: string): Promise<Date | null> {
  const row = await ask<{ at: Date | null }>(url, 'SELECT pg_last_xact_replay_timestamp() AS at')
  return row?.at ?? null
}

/** The last comparison that it holds. The next one is made with the chain, once it runs. */
async function lastReserves(url: string): Promise<string> {
  const row = await ask<{ verdict: string; at: Date; block: string }>(
    url,
    'SELECT verdict, at, block::text FROM reserve_check ORDER BY id DESC LIMIT 1',
  )
  if (row === null) return 'not compared yet'
  return `${row.verdict} at block ${row.block}, ${row.at.toISOString()}`
}

/** `npm run ledger:check`, on this one. */
async function checkLedger(databaseUrl: string): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, [join(root, 'apps/server/src/cli/ledger-check.ts')], {
    env: childEnvironment({ DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => (output += part))
  const code = await new Promise<number | null>((resolve, reject) =>
    child.once('error', reject).once('close', resolve),
  )
  return { code, output }
}
