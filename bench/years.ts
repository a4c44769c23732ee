/**
 * `npm run bench -- years`: a network that is paid every day for a year, as the product pays it, with its ledger kept as `npm start` keeps
 * it, under a cap where one is asked for. What the last days cost against the first, and how much the disk holds of all.
 */
import { connect, inTransaction } from '@aval/db'
import { keepLedger } from '@aval/db/upkeep'
import { micro } from '@aval/money'
import type { Day } from '@aval/plan'
import type pg from 'pg'
import { readerOf } from '../apps/server/src/core/messages.ts'
import { Refusal } from '../apps/server/src/core/refusal.ts'
import { statementLines } from '../apps/server/src/features/earnings/statement.queries.ts'
import { investBalance } from '../apps/server/src/features/investments/investments.commands.ts'
import { checkLedger } from '../apps/server/src/ledger/check.ts'
import { type Cluster, openCluster } from './cluster.ts'
import { asOwner, settle } from './database.sql.ts'
import { dayLater, NOW, payDay } from './day.ts'
import { msSince, timed } from './measures.ts'
import type { YearsOptions } from './options.ts'
import { loadInChild } from './payouts.ts'
import { endowFurther } from './prepare-network.ts'
import { columnsOf, count, machineLine, machineNow, ms, type Outcome, stagesOf, type Tell } from './report.ts'
import {
  countArchivedDays,
  countPostings,
  type Kept,
  selectInvestors,
  selectKept,
  selectPlace,
  selectSeals,
  storeCap,
} from './years.sql.ts'

/** So many days are measured, of the first and of the last: the life of a part, from empty to full. */
const MEASURED = 6
const EXAMPLE_MEMBER = 5n
const DAY_MS = 86_400_000
/** A part as full as a larger network's, which alone makes a part's index grow past what a day writes. */
const UPKEEP = { aMember: 5, atLeast: 0, sealDays: 1, keepDays: 62 } as const

type Server = ReturnType<typeof connect>

interface PaidDay {
  readonly ms: number
  readonly postings: number
  /** Bytes of log a posting, balances and items with it. */
  readonly log: number
}

async function measureDay(owner: pg.Client, { db }: Server, now: Date): Promise<PaidDay> {
  await settle(owner)
  const before = await selectPlace(owner)
  const { total } = await payDay(db, now)
  const after = await selectPlace(owner)
  const postings = await countPostings(owner, before.journal)
  return { ms: total, postings, log: (after.log - before.log) / Math.max(1, postings) }
}

/** One in a thousand invests what was earned, so that each day has commissions and matches. */
async function investSome(
  owner: pg.Client,
  { db }: Server,
  day: number,
  members: number,
  now: Date,
): Promise<void> {
  for (const id of await selectInvestors(owner, day, Math.ceil(members / 1000)))
    await inTransaction(db, (tx) => investBalance(tx, id, micro(50_000_000n), now, `years:${day}`)).catch(
      (error: unknown) => {
        if (!(error instanceof Refusal)) throw error
      },
    )
}

/** The network, and a ledger of so many days, of which nothing is measured. */
export async function payYears(
  cluster: Cluster,
  options: Omit<YearsOptions, 'cap'>,
  tell: Tell,
): Promise<void> {
  await loadInChild(cluster, { ...options, check: true, open: 20, readers: false, registrations: false })
  await asOwner(cluster.ownerUrl, async (owner) => {
    const server = connect(cluster.serverUrl, 8, 'aval-worker')
    try {
      await endowFurther(server, cluster, Math.ceil(options.days / 30) + 1)
      await live(owner, server, options, stagesOf(tell))
    } finally {
      await server.close()
    }
  })
}

/** Every day; the first and the last are measured. The very first warms up, and is none of either. */
async function live(
  owner: pg.Client,
  server: Server,
  { members, days }: Pick<YearsOptions, 'members' | 'days'>,
  stage: Tell,
) {
  const first: PaidDay[] = []
  const last: PaidDay[] = []
  const sealing: number[] = []
  let now = NOW
  await payDay(server.db, now)
  for (let day = 2; day <= days; day += 1) {
    await investSome(owner, server, day, members, new Date(now.getTime() + 3_600_000))
    now = dayLater(now)
    if (first.length < MEASURED) first.push(await measureDay(owner, server, now))
    else if (day > days - MEASURED) last.push(await measureDay(owner, server, now))
    else await payDay(server.db, now)
    const begun = performance.now()
    const lines = await keepLedger(owner, now, UPKEEP)
    if (lines.some((line) => line.includes('sealed'))) sealing.push(msSince(begun))
    if (day % 30 === 0 || day === MEASURED + 1 || day === days - MEASURED) stage(`day ${day}`)
  }
  return { first: summed(first), last: summed(last), sealing }
}

function summed(paid: readonly PaidDay[]) {
  const mean = (of: (day: PaidDay) => number) => paid.reduce((sum, day) => sum + of(day), 0) / paid.length
  return {
    ms: mean((day) => day.ms),
    slowestMs: Math.max(...paid.map((day) => day.ms)),
    postings: mean((day) => day.postings),
    log: mean((day) => day.log),
    mostLog: Math.max(...paid.map((day) => day.log)),
    days: paid,
  }
}

async function readBack(owner: pg.Client, server: Server, { members, days }: YearsOptions, stage: Tell) {
  const { parts, until } = await selectSeals(owner)
  const kept = await selectKept(owner)
  const archivedDays = await countArchivedDays(owner, until)
  const always = { from: '2020-01-01' as Day, to: '2040-01-01' as Day, timeZone: 'America/Bogota' }
  let lines = 0
  const statementMs = await timed(async () => {
    lines = (await Array.fromAsync(statementLines(server.db, EXAMPLE_MEMBER, always, readerOf('en', null))))
      .length
  })
  let faults: readonly string[] = []
  const sealsMs = await timed(async () => {
    faults = (await checkLedger(server.db, { readers: 2 })).faults
  })
  stage(`checked from the seals, in ${ms(sealsMs)}`)
  const begun: number[] = []
  const progress = () => void begun.push(performance.now())
  const wholeMs = await timed(async () => {
    faults = [...faults, ...(await checkLedger(server.db, { whole: true, progress })).faults]
  })
  const questions = begun.map((at, place) => (begun[place + 1] ?? performance.now()) - at)
  return {
    parts,
    archivedDays,
    kept,
    bytes: bytesOf(kept, members, days, archivedDays),
    statement: { lines, ms: statementMs },
    checkMs: { seals: sealsMs, whole: wholeMs, slowestQuestion: Math.max(...questions) },
    faults,
  }
}

/** A member a day: of parts with rows and of archived ones with the pages and items of as many days, and the mean of all. */
function bytesOf(
  { open, archived, pages, items }: Kept,
  members: number,
  days: number,
  archivedDays: number,
) {
  const items_ = (pages + items) / (members * days)
  const openDays = Math.max(1, days - archivedDays)
  return {
    open: open / (members * openDays) + items_,
    archived: archived / (members * Math.max(1, archivedDays)) + items_,
    mean: (open + archived) / (members * days) + items_,
    items: items_,
  }
}

async function measure(cluster: Cluster, options: YearsOptions, tell: Tell) {
  await loadInChild(cluster, { ...options, check: true, open: 20, readers: false, registrations: false })
  const stage = stagesOf(tell)
  return asOwner(cluster.ownerUrl, async (owner) => {
    const server = connect(cluster.serverUrl, 8, 'aval-worker')
    try {
      await endowFurther(server, cluster, Math.ceil(options.days / 30) + 1)
      if (options.cap !== undefined) await storeCap(owner, options.cap, new Date(NOW.getTime() - DAY_MS))
      const { sealing, ...lived } = await live(owner, server, options, stage)
      stage('what it came to')
      await owner.query('VACUUM (ANALYZE)')
      const read = await readBack(owner, server, options, stage)
      const sealingMs = sealing.reduce((sum, each) => sum + each, 0) / Math.max(1, sealing.length)
      return { ...lived, ratio: lived.last.ms / lived.first.ms, sealingMs, ...read }
    } finally {
      await server.close()
    }
  })
}

export async function runYears(options: YearsOptions, tell: Tell): Promise<Outcome> {
  const { members, days } = options
  const machine = machineNow(tell)
  const cluster = await openCluster(options)
  const measured = await measure(cluster, options, tell).finally(() => cluster.stop())
  const { first, last, ratio, parts, bytes, statement, checkMs, sealingMs, faults } = measured
  const bytesLine = (each: number) => `${each.toFixed(0)} bytes a member a day`
  const dayLine = (of: typeof first) =>
    `mean ${ms(of.ms)}, slowest ${ms(of.slowestMs)}, ${count(of.postings)} postings; log ${count(of.log)} bytes a posting, at most ${count(of.mostLog)}`
  const table = columnsOf([
    ['network', `${count(members)} members, ${days} days; ${machineLine(machine)}`],
    ['the first six days', dayLine(first)],
    ['the last six', dayLine(last)],
    ['last / first', `${ratio.toFixed(2)}×; log ${(last.log / first.log).toFixed(2)}×`],
    ['sealed', `${parts} parts, ${ms(sealingMs)} a time; ${measured.archivedDays} days archived`],
    ['open', bytesLine(bytes.open)],
    ['archived', bytesLine(bytes.archived)],
    ['mean', `${bytesLine(bytes.mean)}, of which items ${bytes.items.toFixed(0)}`],
    ['statement', `${count(statement.lines)} lines in ${ms(statement.ms)}`],
    [
      'check',
      `from seals ${ms(checkMs.seals)}, whole ${ms(checkMs.whole)}; the slowest question ${ms(checkMs.slowestQuestion)}`,
    ],
    ['ledger', faults.length === 0 ? 'clean' : faults.join('; ')],
  ])
  return {
    table,
    figures: { benchmark: 'years', members, days, ...machine, ...measured },
    failed: faults.length > 0,
  }
}
