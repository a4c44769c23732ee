/**
 * `npm run backup -- <folder>`, `npm run restore -- <folder>` and `npm run backup:drill -- <folder>
npm run restored`: see `docs/runbooks/backups.md`.
 * What prevents them is said in one line.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { startEmbedded, superuserUrl } from '@aval/db/embedded'
import { dropLogBefore } from './backup/log-files.ts'
import { keepNewest } from './backup/store.ts'
import { ConfigRefusal, readStartConfig, root, type StartConfig } from './core/config.ts'
import { lineOf, Refusal } from './core/refusal.ts'
import { beginRestoration } from './restore/restoration.sql.ts'
import { drill, type Output, placesOf, restorationOf, restore } from './restore/restore.ts'
import { takeBackup } from './restore/take.ts'
import { continueWithOwnNode } from './runtime.ts'
import { lockDataFolder } from './supervisor/lock.ts'
import { readRunFile } from './supervisor/run-file.ts'
import { terminalScreen } from './supervisor/screen.ts'
import { readSecrets } from './supervisor/secrets.ts'

const USAGE = `npm run backup -- <folder> [--keep <number of backups>]
npm run restore -- <folder> [--to <time, such as 2026-11-25T18:30:00Z>]
npm run backup:drill -- <folder>`

const MB = 2 ** 20

function output(): Output & { readonly screen: ReturnType<typeof terminalScreen> } {
  const screen = terminalScreen()
  const megabytes = (bytes: number) => Math.ceil(bytes / MB)
  const progress = (done: number, total: number): void =>
    screen.progress({ done: megabytes(done), total: megabytes(total), label: 'MB:' })
  return { screen, say: screen.step, progress }
}

/** Runs with an address of the database: that of DATABASE_URL, of the product that runs, or of the embedded one, started for it. */
async function withDatabase<T>(
  { databaseUrl, dataDir }: StartConfig,
  use: (url: string) => Promise<T>,
): Promise<T> {
  if (databaseUrl !== null) return use(databaseUrl)
  if (!existsSync(join(dataDir, 'postgres'))) throw new Refusal(`There is no database in ${dataDir} yet.`)
  const { superuserPassword } = await readSecrets(dataDir)
  const lock = await lockDataFolder(dataDir, 'a backup').catch(() => null)
  if (lock === null) {
    const port = (await readRunFile(dataDir))?.ports.postgres ?? null
    if (port === null) throw new Refusal(`Aval is starting or stopping on ${dataDir}: try again in a moment.`)
    return use(superuserUrl(superuserPassword, port))
  }
  try {
    const database = await startEmbedded({ dataDir, password: superuserPassword })
    return await use(database.superuserUrl).finally(() => database.stop())
  } finally {
    await lock.release()
  }
}

async function take(folder: string, keep: number | null, config: StartConfig): Promise<void> {
  const { screen, progress } = output()
  const { passphrase } = config.backup
  screen.step('Copying the database …')
  const { store, name } = await withDatabase(config, (url) =>
    takeBackup({ folder, passphrase, url, places: placesOf(config), progress }, new Date()),
  )
  const oldest = keep === null ? null : await keepNewest(store, keep)
  if (oldest !== null) await dropLogBefore(store, oldest)
  screen.line(`Backed up: ${join(folder, name)}${passphrase === null ? ', not encrypted' : ''}.`)
}

async function bringBack(folder: string, to: Date | null, config: StartConfig): Promise<void> {
  const { screen, say, progress } = output()
  if (config.databaseUrl !== null)
    throw new Refusal(
      'DATABASE_URL: is set: a server of your own is restored as docs/runbooks/backups.md says.',
    )
  const { lastCommit, reserves } = await restore(folder, config, to, { say, progress })
  screen.line(
    [
      `Restored into ${config.dataDir}. The ledger is clean.`,
      `Last change: ${lastCommit?.toISOString() ?? 'the backup itself'}. Reserves then: ${reserves}.`,
      'No money leaves until the chain is read up to now: what was paid since is booked first. Start with npm start.',
    ].join('\n'),
  )
}

const HOUR_MS = 3_600_000

async function prove(folder: string, config: StartConfig): Promise<boolean> {
  const { screen, say, progress } = output()
  const { backup, lastCommit, isClean, report, reserves } = await drill(folder, config, { say, progress })
  const age = (Date.now() - new Date(backup.manifest.madeAt).getTime()) / HOUR_MS
  screen.line(
    [
      ...(isClean ? [] : [report]),
      `${backup.name} is ${age.toFixed(1)} hours old and ${isClean ? 'can be restored: the ledger is clean' : 'NOT clean'}.`,
      `Last change: ${lastCommit?.toISOString() ?? 'the backup itself'}. Reserves then: ${reserves}.`,
    ].join('\n'),
  )
  return isClean
}

/** Of a server of one's own that was restored by its own means, before anything of the product is started. */
async function markRestored(config: StartConfig): Promise<void> {
  const { databaseUrl } = config
  if (databaseUrl === null)
    throw new Refusal('DATABASE_URL: is missing: an embedded database is marked by npm run restore itself.')
  await beginRestoration(databaseUrl, restorationOf(config))
  output().screen.line(
    'Marked: no money leaves until the chain is read up to now, and what it shows is booked.',
  )
}

function timeOf(text: string | undefined): Date | null {
  if (text === undefined) return null
  const at = new Date(text)
  // Without a zone it would be read by this machine's.
  if (Number.isNaN(at.getTime()) || !/(Z|[+-]\d\d:?\d\d)$/i.test(text))
    throw new Refusal('--to: is no time with a zone, such as 2026-11-25T18:30:00Z')
  if (at.getTime() > Date.now()) throw new Refusal('--to: lies in the future')
  return at
}

function numberOf(text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new Refusal('--keep: is no number of backups')
  return Number(text)
}

async function main(): Promise<boolean> {
  const options = { keep: { type: 'string' }, to: { type: 'string' } } as const
  const { positionals, values } = parseArgs({ allowPositionals: true, options })
  const [command, given, ...more] = positionals
  if (command === 'restored' && given === undefined) {
    await markRestored(readStartConfig())
    return true
  }
  if (given === undefined || more.length > 0) throw new Refusal(USAGE)
  const folder = resolve(root, given)
  const config = readStartConfig()
  if (command === 'take' && values.to === undefined) await take(folder, numberOf(values.keep), config)
  else if (command === 'restore' && values.keep === undefined)
    await bringBack(folder, timeOf(values.to), config)
  else if (command === 'drill') return prove(folder, config)
  else throw new Refusal(USAGE)
  return true
}

continueWithOwnNode()
try {
  process.exitCode = (await main()) ? 0 : 1
} catch (error) {
  console.error(
    error instanceof ConfigRefusal || (error instanceof Refusal && error.message.includes('\n'))
      ? error.message
      : lineOf(error),
  )
  process.exitCode = 1
}
