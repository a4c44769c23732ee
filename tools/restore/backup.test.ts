import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Embedded, startEmbedded } from '@aval/db/embedded'
import { prepareDatabase } from '@aval/db/prepare'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { lastReceived } from '../backup/log-files.ts'
import { shipLog } from '../backup/ship.ts'
import { openStore } from '../backup/store.ts'
import { parseStartConfig } from '../core/config.ts'
import { readSecrets } from '../supervisor/secrets.ts'
import { until } from '../testing/until.ts'
import { drill, restore } from './restore.ts'
import { takeBackup } from './take.ts'

const passphrase = 'a passphrase of tests'
const created: string[] = []
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'aval-backup-test-'))
  created.push(folder)
  return folder
}
const quiet = { say: () => undefined, progress: () => undefined }
const configOf = (dataDir: string, given: Record<string, string> = {}) =>
  parseStartConfig({ DATA_DIR: dataDir, BACKUP_PASSPHRASE: passphrase, ...given })

/** Of an embedded database of this version, with one row that counts. */
async function open(dataDir: string): Promise<Embedded> {
  const secrets = await readSecrets(dataDir)
  return startEmbedded({ dataDir, password: secrets.superuserPassword })
}

async function asked<T>(url: string, text: string): Promise<T | undefined> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query<{ answer: T }>(text)).rows[0]?.answer
  } finally {
    await client.end().catch(() => undefined)
  }
}

const COUNT =
  'UPDATE chain_cursor SET scanned_block = scanned_block + 1, head_block = head_block + 1 RETURNING scanned_block::int AS answer'
const BOTH = "SELECT format('%s %s', scanned_block, head_block) AS answer FROM chain_cursor"

/** Counts, a transaction each, until it is stopped or the database dies. */
function keepCounting(url: string) {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => undefined)
  let isOver = false
  let last = 0
  const counting = (async () => {
    await client.connect()
    while (!isOver) last = (await client.query<{ answer: number }>(COUNT)).rows[0]?.answer ?? last
  })().catch(() => undefined)
  return {
    last: () => last,
    async stop(): Promise<number> {
      isOver = true
      await counting
      await client.end().catch(() => undefined)
      return last
    },
  }
}

const dataDir = newFolder()
const folder = join(newFolder(), 'backups')
let running: Embedded
const counted = { atBackup: 0, before: 0, between: new Date(), last: 0 }

beforeAll(async () => {
  const { database } = await readSecrets(dataDir)
  running = await open(dataDir)
  await prepareDatabase(running.url, database)
  await asked(running.url, "INSERT INTO chain_cursor VALUES ('devnet', 0, 'x', 0, 0, now(), now())")
  const shipping = shipLog({ folder, passphrase, url: running.superuserUrl, say: () => undefined })
  const counting = keepCounting(running.url)
  await until('some counts', async () => counting.last() > 20)
  counted.atBackup = counting.last()
  const places = { dataDir, keyFile: null }
  await takeBackup(
    { folder, passphrase, url: running.superuserUrl, places, progress: () => undefined },
    new Date(),
  )
  counted.before = await counting.stop()
  counted.between = (await asked<Date>(running.url, 'SELECT clock_timestamp() AS answer')) ?? new Date()
  // More than a file of the log.
  await asked(running.superuserUrl, 'SELECT pg_switch_wal()')
  const again = keepCounting(running.url)
  await until('some more counts', async () => again.last() > counted.before + 20)
  counted.last = await again.stop()
  const place = await asked<string>(running.url, 'SELECT pg_current_wal_flush_lsn()::text AS answer')
  const store = await openStore(folder, passphrase)
  await until('the log in the folder', async () => {
    const received = await lastReceived(store, 1)
    return (
      received !== null &&
      received.start + BigInt(received.content.length) >= BigInt(`0x${place?.split('/')[1]}`)
    )
  })
  process.kill(running.pid, 'SIGKILL')
  await running.exited
  await shipping.stop()
})
afterAll(() => {
  for (const each of created) rmSync(each, { recursive: true, force: true })
})

/** What the restored database says, by its own sign-in. */
async function restoredCount(dataDir: string): Promise<string | undefined> {
  const restored = await open(dataDir)
  try {
    return await asked<string>(restored.url, BOTH)
  } finally {
    await restored.stop()
  }
}

/** A data folder that lost its database alone: the chain and the secrets are still there. */
function bereft(): string {
  const folder = newFolder()
  cpSync(join(dataDir, 'secrets.json'), join(folder, 'secrets.json'))
  mkdirSync(join(folder, 'devnet'))
  writeFileSync(join(folder, 'devnet/chain.sqlite'), 'the chain')
  return folder
}

/** A copy of the backups, broken in some way. */
function broken(how: (copy: string, backup: string) => void): string {
  const copy = newFolder()
  cpSync(folder, copy, { recursive: true })
  const name = readdirSync(copy).find((each) => each.endsWith('Z')) ?? ''
  how(copy, join(copy, name))
  return copy
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 1
  writeFileSync(file, bytes)
}

const halve = (file: string) => truncateSync(file, Math.floor(readFileSync(file).length / 2))

function edit(file: string, from: RegExp, to: string): void {
  writeFileSync(file, readFileSync(file, 'utf8').replace(from, to))
}

describe('a backup with its log, of a database whose disk was lost', () => {
  test('gives back the last thing that was committed, and replaces nothing that is there', async () => {
    const place = bereft()
    const { isClean } = await restore(folder, configOf(place), null, quiet)
    expect(isClean).toBe(true)
    expect(await restoredCount(place)).toBe(`${counted.last} ${counted.last}`)
    expect(readFileSync(join(place, 'devnet/chain.sqlite'), 'utf8')).toBe('the chain')
    expect(readdirSync(place).filter((name) => name.startsWith('restoring'))).toEqual([])
  })

  test('gives back a moment', async () => {
    const place = bereft()
    await restore(folder, configOf(place), counted.between, quiet)
    expect(await restoredCount(place)).toBe(`${counted.before} ${counted.before}`)
  })

  test('is proven by a drill, which leaves nothing behind', async () => {
    const found = await drill(folder, configOf(newFolder()), quiet)
    expect(found).toMatchObject({ isClean: true, reserves: 'not compared yet' })
    expect(found.report).toContain('The ledger is clean.')
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('aval-drill-'))).toEqual([])
  })

  test('comes back whole where all is lost: secrets, and the chain of that moment', async () => {
    const place = newFolder()
    await restore(folder, configOf(place), null, quiet)
    const [scanned = 0, head] = (await restoredCount(place))?.split(' ').map(Number) ?? []
    expect(scanned).toBe(head)
    expect(scanned).toBeGreaterThanOrEqual(counted.atBackup)
    expect(scanned).toBeLessThanOrEqual(counted.before)
    expect(readFileSync(join(place, 'secrets.json'), 'utf8')).toBe(
      readFileSync(join(dataDir, 'secrets.json'), 'utf8'),
    )
  })
})

describe('what cannot be restored is refused in one line, and nothing is left of the try', () => {
  const past = new Date('2020-01-01T00:00:00Z')
  const cases: readonly [
    what: string,
    store: () => string,
    line: RegExp,
    given?: Record<string, string>,
    to?: Date,
  ][] = [
    ['no folder', () => join(newFolder(), 'none'), /There are no backups in/],
    ['a folder of something else', newFolder, /There are no backups in/],
    [
      'another passphrase',
      () => folder,
      /BACKUP_PASSPHRASE: does not open/,
      { BACKUP_PASSPHRASE: 'another passphrase' },
    ],
    ['no passphrase', () => folder, /BACKUP_PASSPHRASE: is missing/, { BACKUP_PASSPHRASE: '' }],
    ['a moment before the first backup', () => folder, /is younger than/, {}, past],
    [
      'a database cut off',
      () => broken((_, backup) => halve(join(backup, 'database.tar.zst'))),
      /database.tar.zst is (cut off|not the file)/,
    ],
    [
      'a database with one bit changed',
      () => broken((_, backup) => flip(join(backup, 'database.tar.zst'), 400_000)),
      /database.tar.zst is (cut off|not the file)/,
    ],
    [
      'other files',
      () => broken((_, backup) => flip(join(backup, 'files.tar.zst'), 50)),
      /files.tar.zst is (cut off|not the file)/,
    ],
    [
      'a manifest that was changed',
      () => broken((_, backup) => edit(join(backup, 'backup.json'), /"timeline": 1/, '"timeline": 2')),
      /backup.json was changed/,
    ],
    [
      'a manifest that is none',
      () => broken((_, backup) => halve(join(backup, 'backup.json'))),
      /backup.json is damaged/,
    ],
    [
      'backups of a later version',
      () => broken((copy) => edit(join(copy, 'aval-backups.json'), /"format": 1/, '"format": 2')),
      /newer version/,
    ],
    ['a log with a gap', () => broken((copy) => dropFirstLog(copy)), /The log has a gap at 0000000100000000/],
    ['a log cut off', () => broken((copy) => halve(packedLog(copy).at(-1) ?? '')), /\.zst is cut off/],
  ]
  test.each(cases)('%s', async (_what, store, line, given = {}, to) => {
    const place = bereft()
    await expect(restore(store(), configOf(place, given), to ?? null, quiet)).rejects.toThrow(line)
    expect(readdirSync(place).sort()).toEqual(['devnet', 'secrets.json'])
  })

  test('into a folder that has a database, or secrets of another one', async () => {
    const place = bereft()
    mkdirSync(join(place, 'postgres'))
    await expect(restore(folder, configOf(place), null, quiet)).rejects.toThrow(
      /There is a database in .* already: move/,
    )
    renameSync(join(place, 'postgres'), join(place, 'postgres.before'))
    writeFileSync(join(place, 'secrets.json'), '{}')
    await expect(restore(folder, configOf(place), null, quiet)).rejects.toThrow(
      /secrets.json is not the one of the backup/,
    )
    expect(readdirSync(place).sort()).toEqual(['devnet', 'postgres.before', 'secrets.json'])
  })
})

const packedLog = (copy: string) =>
  readdirSync(join(copy, 'log'))
    .filter((name) => name.endsWith('.zst'))
    .sort()
    .map((name) => join(copy, 'log', name))

/** The one after the backup's own. */
function dropFirstLog(copy: string): void {
  for (const path of packedLog(copy)) rmSync(path)
}
