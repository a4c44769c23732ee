/**
 * Pays a network day by day without disturbance; then, with all rows put back, by workers that are killed (SIGKILL) at random
 * moments, two at once at times, and are then away for days; the auditor is killed with every fourth of them. Both must come out the same, to the last bit of every item,
 * posting and balance.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { connect } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import pg from 'pg'
import { payCommissions, runDue } from '../../apps/server/src/features/payout-runs/advance.commands.ts'
import { dayLater, NOW, untilPaid } from '../../bench/day.ts'
import { generateNetwork } from '../../bench/network.ts'
import { prepareNetwork } from '../../bench/prepare-network.ts'
import { type Program, startAuditor } from '../../bench/processes.ts'
import { chanceFrom } from '../../bench/random.ts'
import { keepRows } from '../beginning.ts'

export interface PayoutRunsOptions {
  readonly members: number
  readonly kills: number
  /** The longest a worker lives, in milliseconds: some batches are finished, and most workers die in the middle of one. */
  readonly longestLife: number
  readonly seed: number
  readonly say: (line: string) => void
}

/** Days after the first; the undisturbed network pays them one by one, the other is caught up in one go. */
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
    await untilPaid(db, now)
  }
  await close()
}

function startWorker(serverUrl: string, now: Date): ChildProcess {
  const program = join(import.meta.dirname, 'payout-worker.ts')
  return spawn(process.execPath, [program, serverUrl, now.toISOString()], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

const isAlive = (child: ChildProcess) => child.exitCode === null && child.signalCode === null

/** Kills a worker some time after it has begun; false when it had done everything before. */
async function killOne(serverUrl: string, now: Date, life: number): Promise<boolean> {
  const child = startWorker(serverUrl, now)
  if (child.stdout !== null) await once(child.stdout, 'data')
  await Promise.race([pause(life), once(child, 'exit')])
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
async function payDisturbed(
  serverUrl: string,
  auditor: () => Promise<void>,
  options: PayoutRunsOptions,
): Promise<number> {
  const { kills, longestLife, say } = options
  const chance = chanceFrom(options.seed)
  let killed = 0
  for (const [now, wanted] of [
    [NOW, kills / 2],
    [LAST_DAY, kills],
  ] as const) {
    let unfinished = true
    while (killed < wanted && unfinished) {
      const life = 1 + chance.below(longestLife)
      const lives = chance.happens(1 / 3) ? [life, 1 + chance.below(longestLife)] : [life]
      const [wereKilled] = await Promise.all([
        Promise.all(lives.map((ms) => killOne(serverUrl, now, ms))),
        chance.happens(1 / 4) ? pause(chance.below(longestLife)).then(auditor) : undefined,
      ])
      killed += wereKilled.filter(Boolean).length
      unfinished = wereKilled.some(Boolean)
    }
    say(`${killed} workers were killed; two at once pay the rest of ${now.toISOString().slice(0, 10)}`)
    await finish(serverUrl, now)
  }
  return killed
}

/** @param adminUrl of a role that may create databases */
export async function runPayoutRuns(adminUrl: string, options: PayoutRunsOptions) {
  const { members, seed, say } = options
  const database = await createTestDatabase(adminUrl)
  const { ownerUrl, serverUrl } = database
  const owner = new pg.Pool({ connectionString: ownerUrl, max: 1 })
  let stopAuditor = () => Promise.resolve()
  try {
    const network = generateNetwork(members, 'power', seed)
    let auditor: Program = await startAuditor(database.auditorUrl)
    stopAuditor = () => auditor.stop()
    const killAuditor = async () => {
      process.kill(auditor.pid, 'SIGKILL')
      auditor = await startAuditor(database.auditorUrl)
    }
    await prepareNetwork({ ...database, network, thin: true, history: 'marked', tell: say })
    const restore = await keepRows(owner)
    await payUndisturbed(serverUrl)
    const fingerprints = await fingerprintsOf(owner)
    await restore()
    const kills = await payDisturbed(serverUrl, killAuditor, options)
    const disturbed = await fingerprintsOf(owner)
    const faults = Object.entries(disturbed).flatMap(([table, print]) =>
      fingerprints[table as keyof Fingerprints] === print ? [] : [`${table} differ after the kills`],
    )
    return { kills, faults, fingerprints }
  } finally {
    await stopAuditor()
    await owner.end()
    await database.drop()
  }
}

/** Ids of runs and journals may differ where an attempt was killed; kind and period may not. */
const RUN = "r.kind || ' ' || r.period"

const FINGERPRINTS = {
  runs: `SELECT concat_ws('|', ${RUN}, r.state, r.plan_version, r.rate, r.item_count, r.item_sum, r.item_largest, r.payable, r.not_paid,
      r.posted_count, r.input_hash, r.items_hash, r.inputs, r.at) AS line FROM payout_run r`,
  seals: `SELECT ${RUN} || seal_payout_run(r.id) AS line FROM payout_run r`,
  items: `SELECT concat_ws('|', ${RUN}, i.member_id, i.leg, i.kind, i.amount, i.basis, i.level, i.investment_id) AS line
    FROM payout_item i JOIN payout_run r ON r.id = i.run_id`,
  pages: `SELECT concat_ws('|', ${RUN}, p.block, p.members, p.bases, p.amounts) AS line FROM payout_page p JOIN payout_run r ON r.id = p.run_id`,
  postings: `SELECT concat_ws('|', p.member_id, p.leg, p.kind, p.source, p.destination, p.amount, p.at, coalesce(${RUN}, j.kind)) AS line
    FROM posting p JOIN journal j ON j.id = p.journal_id LEFT JOIN payout_run r ON r.journal_id = j.id`,
  balances: `SELECT b::text AS line FROM member_balance b`,
  house: `SELECT h::text AS line FROM house_balance h`,
} as const

/** What payout runs left in a database, of each table: equal in two databases exactly when every row is. */
type Fingerprints = Readonly<Record<keyof typeof FINGERPRINTS, string>>

async function fingerprintsOf(owner: pg.Pool): Promise<Fingerprints> {
  const found: [string, string][] = []
  for (const [name, query] of Object.entries(FINGERPRINTS)) {
    const { rows } = await owner.query<{ print: string }>(
      `SELECT count(*) || ':' || coalesce(md5(string_agg(md5(line), '' ORDER BY md5(line))), '') AS print FROM (${query}) lines`,
    )
    found.push([name, rows[0]?.print ?? ''])
  }
  return Object.fromEntries(found) as Fingerprints
}
