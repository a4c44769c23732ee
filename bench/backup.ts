/**
 * `npm run bench -- backup`: a backup of a large database while members read, beside what the disk takes to copy the same files.
 * The backup is compressed and checked as `npm run backup` makes it; the copy is bare. Both begin with nothing in the system's cache.
 */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { takeBackup } from '../tools/restore/take.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { analyse, asOwner } from './database.sql.ts'
import { NOW } from './day.ts'
import { msSince } from './measures.ts'
import { type PayoutsOptions, UsageError } from './options.ts'
import { loadInChild } from './payouts.ts'
import { measureReaders } from './readers.ts'
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

const run = promisify(execFile)
const GB = 1e9

/** A backup has the log of its own time alone. */
const LOG = 'pg_wal'

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const sizes = entries
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(LOG))
    .map((entry) => stat(join(entry.parentPath, entry.name)).catch(() => ({ size: 0 })))
  return (await Promise.all(sizes)).reduce((total, { size }) => total + size, 0)
}

/** @returns whether the system allowed it: only root may */
async function emptyCache(): Promise<boolean> {
  await run('sync')
  return writeFile('/proc/sys/vm/drop_caches', '3').then(
    () => true,
    () => false,
  )
}

/** Until everything is on the disk. */
async function measureCopy(from: string, place: string) {
  const [cluster, copy] = [join(from, 'postgres'), join(place, 'copy')]
  const parts = (await readdir(cluster)).filter((name) => name !== LOG).map((name) => join(cluster, name))
  await mkdir(copy)
  const isCold = await emptyCache()
  const begun = performance.now()
  await run('cp', ['-r', ...parts, copy])
  await run('sync', ['-f', place])
  const copyMs = msSince(begun)
  await rm(copy, { recursive: true })
  return { copyMs, isCold }
}

async function measureBackup(cluster: Cluster, { members, seed }: PayoutsOptions, place: string) {
  await emptyCache()
  const folder = join(place, 'backups')
  let backupMs = 0
  const take = async () => {
    const begun = performance.now()
    const { folder: dataDir, ownerUrl: url } = cluster
    const places = { dataDir: dataDir ?? '', keyFile: null }
    await takeBackup({ folder, passphrase: null, url, places, progress: () => undefined }, new Date())
    backupMs = msSince(begun)
  }
  const felt = await measureReaders(cluster, { members, seed }, NOW, take)
  return { backupMs, backupBytes: await bytesIn(folder), felt }
}

export async function runBackup(options: PayoutsOptions, tell: Tell): Promise<Outcome> {
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  const { folder } = cluster
  if (folder === null) throw new UsageError('--database-url: the disk of another server cannot be measured')
  const place = await mkdtemp(join(options.folder ?? tmpdir(), 'aval-bench-backup-'))
  try {
    const stage = stagesOf(tell)
    stage(`${count(options.members)} members are made`)
    await loadInChild(cluster, options)
    await asOwner(cluster.ownerUrl, analyse)
    const bytes = await bytesIn(join(folder, 'postgres'))
    stage(`${hundredth(bytes / GB)} GB are copied`)
    const { copyMs, isCold } = await measureCopy(folder, place)
    stage('and backed up, while members read')
    const { backupMs, backupBytes, felt } = await measureBackup(cluster, options, place)
    stage('done')
    const ratio = backupMs / copyMs
    const table = columnsOf([
      [`${hundredth(bytes / GB)} GB of ${count(options.members)} members; ${machineLine(machine)}`],
      [
        'Bare copy, until it is on the disk',
        `${ms(copyMs)}${isCold ? '' : ' (cache not empty: only root may)'}`,
      ],
      ['Backup', `${ms(backupMs)}, ${hundredth(backupBytes / GB)} GB`],
      ['Backup / copy', `${hundredth(ratio)} ×`],
      ['Dashboards, nothing going on', spread(felt.idle.reads)],
      ['meanwhile', spread(felt.paying.reads)],
      ['Ratio', `median ${hundredth(felt.ratio.p50)}, p99 ${hundredth(felt.ratio.p99)}`],
    ])
    const { idle, paying: meanwhile, ratio: felts } = felt
    const figures = { bytes, copyMs, backupMs, backupBytes, ratio, idle, meanwhile, felt: felts }
    return { table, figures: { benchmark: 'backup', members: options.members, ...machine, ...figures } }
  } finally {
    await rm(place, { recursive: true, force: true })
    await cluster.stop()
  }
}
