/**
 * Workers that are killed with -9 at random moments, paid for by nobody: a network is paid day by day without disturbance,
 * and a copy of it by workers that are killed again and again, two at once at times, and then stay away for days. Both must
 * come out the same, to the last bit of every item, posting and balance.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, prepareDatabase } from '@aval/db'
import pg from 'pg'
import { payCommissions, runDue } from '../apps/server/src/features/payout-runs/advance.commands.ts'
import { copyDatabase, type Fingerprints, fingerprintsOf } from './crash.sql.ts'
import { dayLater, NOW } from './dates.ts'
import { chanceFrom } from './random.ts'

export interface CrashOptions {
  /** A loaded database that nobody is connected to; it is paid without disturbance. */
  readonly ownerUrl: string
  readonly serverUrl: string
  /** Of the copy that is disturbed. */
  readonly copyName: string
  readonly kills: number
  /** The longest a worker lives, in milliseconds. */
  readonly longestLife: number
  readonly seed: number
  readonly tell: (line: string) => void
}

export interface CrashResult {
  readonly kills: number
  /** Tables in which the two differ. */
  readonly differences: readonly string[]
  readonly fingerprints: Fingerprints
  readonly disturbed: Fingerprints
}

/** Days after the first that are paid; the disturbed network is left alone for all of them and caught up in one go. */
const DAYS_AWAY = 3

const days = Array.from({ length: DAYS_AWAY }).reduce<Date[]>(
  (dates) => [...dates, dayLater(dates.at(-1) ?? NOW)],
  [NOW],
)
const LAST_DAY = days.at(-1) ?? NOW

async function payUndisturbed(serverUrl: string): Promise<void> {
  const { db, close } = connect(serverUrl)
  for (const now of days) {
    await payCommissions(db, now)
    await runDue(db, now)
  }
  await close()
}

function startWorker(serverUrl: string, now: Date): ChildProcess {
  return spawn(
    process.execPath,
    [join(import.meta.dirname, 'crash-worker.ts'), serverUrl, now.toISOString()],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
}

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Kills a worker some time after it has begun; false when it had done everything before. */
async function killOne(serverUrl: string, now: Date, life: number): Promise<boolean> {
  const child = startWorker(serverUrl, now)
  if (child.stdout !== null) await once(child.stdout, 'data')
  await Promise.race([sleep(life), once(child, 'exit')])
  if (!isAlive(child)) return false
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
  return true
}

async function finish(serverUrl: string, now: Date): Promise<void> {
  // Two at once: neither knows of the other.
  const workers = [startWorker(serverUrl, now), startWorker(serverUrl, now)]
  for (const worker of workers) {
    worker.stdout?.resume()
    const [code] = isAlive(worker) ? await once(worker, 'exit') : [worker.exitCode]
    if (code !== 0) throw new Error(`a worker ended with ${code}`)
  }
}

/** Kills until the wanted number is reached: on the first day, and while the days away are caught up. */
async function payDisturbed(serverUrl: string, options: CrashOptions): Promise<number> {
  const chance = chanceFrom(options.seed)
  let killed = 0
  for (const [now, until] of [
    [NOW, options.kills / 2],
    [LAST_DAY, options.kills],
  ] as const) {
    let unfinished = true
    while (killed < until && unfinished) {
      const life = 1 + chance.below(options.longestLife)
      const lives = chance.happens(1 / 3) ? [life, 1 + chance.below(options.longestLife)] : [life]
      const told = await Promise.all(lives.map((ms) => killOne(serverUrl, now, ms)))
      killed += told.filter(Boolean).length
      unfinished = told.some(Boolean)
    }
    options.tell(
      `${killed} workers were killed; the rest of ${now.toISOString().slice(0, 10)} is paid by two at once`,
    )
    await finish(serverUrl, now)
  }
  return killed
}

async function asOwner<Result>(
  ownerUrl: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'bench' })
  await client.connect()
  return work(client).finally(() => client.end())
}

export async function crashTest(options: CrashOptions): Promise<CrashResult> {
  const copyUrl = await copyDatabase(options.ownerUrl, options.copyName)
  const copy = await prepareDatabase({
    ownerUrl: copyUrl,
    serverPassword: 'crash',
    gatewayPassword: 'crash',
    signerPassword: 'crash',
  })
  options.tell('paid without disturbance')
  await payUndisturbed(options.serverUrl)
  options.tell('paid by workers that are killed')
  const kills = await payDisturbed(copy.serverUrl, options)
  const fingerprints = await asOwner(options.ownerUrl, fingerprintsOf)
  const disturbed = await asOwner(copyUrl, fingerprintsOf)
  const differences = Object.entries(fingerprints).flatMap(([table, print]) =>
    disturbed[table as keyof Fingerprints] === print ? [] : [table],
  )
  return { kills, differences, fingerprints, disturbed }
}
