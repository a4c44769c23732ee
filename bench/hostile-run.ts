/** The run of hostile traffic: members who want in, first while nobody attacks, and then all the while that somebody does. */
import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { asOwner } from './database.sql.ts'
import { selectFailedTries, selectMails, selectMostMails, selectSizes } from './hostile.sql.ts'
import { accountsOf, type Crowd, VICTIMS } from './hostile-people.ts'
import { type Databases, type HostileProduct, registerCrowd, startHostileProduct } from './hostile-product.ts'
import { processorSecondsOf, processorSecondsOfServer, rssOfKb } from './measures.ts'
import { type Child, startChild } from './processes.ts'
import type { Tell } from './report.ts'
import { selectSessions } from './withdrawals.sql.ts'

const answers = z.map(z.string(), z.number())
const heard = z.object({
  tally: answers,
  skipped: z.number(),
  opened: z.array(z.int()),
  halfOpened: z.array(z.int()),
  codesGuessed: z.int(),
})
const felt = z.object({
  tally: answers,
  outcomes: z.array(z.object({ victim: z.enum(VICTIMS), ms: z.number().nullable() })),
})
export type Heard = z.output<typeof heard>
export type Felt = z.output<typeof felt>

/** How long each part lasts, and how often a victim wants in. */
export interface Timetable {
  readonly baselineMs: number
  readonly attackMs: number
  readonly baselineEveryMs: number
  readonly attackEveryMs: number
  /** Of the attackers, in a second. */
  readonly calls: number
  /** A victim gives up after this. */
  readonly patienceMs: number
}

const MINUTE = 60_000

/** What both processes and the database have used of processors, in seconds. */
async function processorsOf(owner: pg.Client, { api, worker }: HostileProduct) {
  const [session = 0] = await selectSessions(owner)
  return {
    api: await processorSecondsOf(api.pid),
    worker: await processorSecondsOf(worker.pid),
    postgres: await processorSecondsOfServer(session),
  }
}
export type Processors = Awaited<ReturnType<typeof processorsOf>>

const less = (after: Processors, before: Processors): Processors => ({
  api: after.api - before.api,
  worker: after.worker - before.worker,
  postgres: after.postgres - before.postgres,
})

/** A part of the run: victims, and attackers where there are any. */
async function act(
  owner: pg.Client,
  product: HostileProduct,
  { victims, attackers }: { readonly victims: Child; readonly attackers: Child | null },
  scene: Omit<Timetable, 'baselineMs' | 'attackMs' | 'baselineEveryMs' | 'attackEveryMs'> & {
    crowd: Crowd
    totpSecret: string
    ms: number
    everyMs: number
  },
) {
  const { crowd, totpSecret, ms, everyMs, patienceMs, calls } = scene
  const before = await processorsOf(owner, product)
  await attackers?.ask({ ask: 'begin', url: product.url, calls, crowd })
  await victims.ask({ ask: 'begin', url: product.url, crowd, totpSecret, everyMs, patienceMs })
  await pause(ms)
  const seen = felt.parse(await victims.ask({ ask: 'end' }))
  const done = attackers === null ? null : heard.parse(await attackers.ask({ ask: 'end' }))
  return { seen, done, ms, used: less(await processorsOf(owner, product), before) }
}
export type Act = Awaited<ReturnType<typeof act>>

/** Both parts, on a database that is migrated and empty. */
export async function runParts(databases: Databases, crowd: Crowd, timetable: Timetable, tell: Tell) {
  const victims = startChild('hostile-victims.ts')
  const attackers = startChild('hostile-attackers.ts')
  try {
    const smtpPort = z.int().parse(await victims.ask({ ask: 'mail' }))
    const product = await startHostileProduct(databases, smtpPort)
    try {
      return await asOwner(databases.ownerUrl, async (owner) => {
        tell(`${crowd.accounts} members register`)
        const { ids, secret } = await registerCrowd(product, crowd)
        const { patienceMs, calls } = timetable
        const scene = { crowd, totpSecret: secret, patienceMs, calls }
        tell(`members sign in, ${timetable.baselineMs / MINUTE} minutes without an attack`)
        const calm = { ...scene, ms: timetable.baselineMs, everyMs: timetable.baselineEveryMs }
        const baseline = await act(owner, product, { victims, attackers: null }, calm)
        const sizesBefore = await selectSizes(owner)
        tell(`${timetable.attackMs / MINUTE} minutes of hostile traffic`)
        const hostile = { ...scene, ms: timetable.attackMs, everyMs: timetable.attackEveryMs }
        const attack = await act(owner, product, { victims, attackers }, hostile)
        const sizes = { before: sizesBefore, after: await selectSizes(owner) }
        const mails: Record<string, Record<string, number>> = {}
        for (const [place, victim] of VICTIMS.entries())
          mails[victim] = await selectMails(owner, ids[place] ?? 0n)
        return {
          ...{ baseline, attack, sizes },
          accounts: accountsOf(crowd),
          mails,
          mostMails: await selectMostMails(owner),
          failedTries: await selectFailedTries(owner),
          apiMb: Math.round((await rssOfKb(product.api.pid)) / 1024),
        }
      })
    } finally {
      await product.stop()
    }
  } finally {
    await Promise.all([victims.end(), attackers.end()])
  }
}
export type Run = Awaited<ReturnType<typeof runParts>>
