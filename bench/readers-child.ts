/** The process of members who look at their dashboard, and of the worker that credits deposits meanwhile. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Connection, connect } from '@aval/db'
import { z } from 'zod'
import { announceReads } from '../apps/server/src/core/reads.ts'
import { readDashboard } from '../apps/server/src/features/dashboard/dashboard.queries.ts'
import { creditTransfer } from '../apps/server/src/features/deposits/credit.commands.ts'
import { depositAddressOf } from '../apps/server/src/features/investments/investments.queries.ts'
import { peakRssOfChildMb, spreadOf } from './measures.ts'
import { answerParent } from './processes.ts'
import { chanceFrom } from './random.ts'
import type { Readings } from './readers.ts'
import { ensureAddresses, recordTransfer } from './transfer.sql.ts'

/**
 * Fifty reads a second: a million members who look once a day are twelve a second on average, and come four times as
 * often in the evening. At 3 to 5 ms each that is a fifth of one core, so that the readers hardly slow the payer down.
 * They come by the clock, whether or not the last one was answered, and time counts from when they came: a server that
 * stands still for a second shows up in fifty reads, not in one.
 */
const READ_EVERY_MS = 20
const DEPOSIT_EVERY_MS = 200
/** A thousand reads: the 99th percentile is the tenth slowest. */
const IDLE_MS = 20_000
const WARM_UPS = 200
/** Readers that wait at a time; beyond, a reader gives up, as people do. */
const MOST_WAITING = 100
const RECEIVERS = 500
const AMOUNT = 25_000_000n

const openRequest = z.object({
  ask: z.literal('open'),
  serverUrl: z.string(),
  gatewayUrl: z.string(),
  members: z.int(),
  seed: z.int(),
  at: z.date(),
})
const requests = z.discriminatedUnion('ask', [
  openRequest,
  z.object({ ask: z.enum(['idle', 'begin', 'finish', 'memory']) }),
])

interface House {
  /** As many connections as the API has. */
  readonly api: Connection
  readonly worker: Connection
  readonly gateway: Connection
  readonly at: Date
  readonly anybody: () => bigint
  readonly receivers: readonly number[]
}

/** Calls `work` by the clock; each call gets the time at which it was due. @returns what stops it */
function byTheClock(everyMs: number, work: (due: number) => unknown): () => Promise<void> {
  let going = true
  const run = async () => {
    const begun = performance.now()
    for (let count = 0; going; count += 1) {
      const due = begun + count * everyMs
      const early = due - performance.now()
      if (early > 0) await sleep(early)
      await work(due)
    }
  }
  const ended = run()
  return () => {
    going = false
    return ended
  }
}

/** Members read and deposits arrive from now on. @returns what ends that, and tells how long each took */
function startWatch(house: House): () => Promise<Readings> {
  const reads: number[] = []
  const deposits: number[] = []
  const failures: string[] = []
  const waiting = new Set<Promise<void>>()
  let skipped = 0
  const fail = (error: unknown) => void failures.push(String(error))

  /** Begins a read and does not wait for it. */
  const comeBy = (due: number) => {
    if (waiting.size >= MOST_WAITING) {
      skipped += 1
      return
    }
    const read: Promise<void> = readDashboard(house.api.db, house.anybody(), house.at)
      .then(() => void reads.push(performance.now() - due))
      .catch(fail)
      .finally(() => waiting.delete(read))
    waiting.add(read)
  }
  /** One after the other, as the worker credits the deposits of one member; from recorded to credited. */
  const deposit = () => {
    const begun = performance.now()
    return credit(house).then(() => void deposits.push(performance.now() - begun), fail)
  }
  const stops = [byTheClock(READ_EVERY_MS, comeBy), byTheClock(DEPOSIT_EVERY_MS, deposit)]
  return async () => {
    await Promise.all(stops.map((stop) => stop()))
    await Promise.all(waiting)
    return {
      reads: spreadOf(reads),
      deposits: spreadOf(deposits),
      skipped,
      failed: failures.length,
      firstFailure: failures[0] ?? null,
    }
  }
}

let transfers = 0

/** A transfer that nobody asked for: it becomes balance. */
async function credit({ worker, gateway, receivers, at }: House): Promise<void> {
  transfers += 1
  const receiver = BigInt(receivers[transfers % receivers.length] ?? 1)
  const address = (await depositAddressOf(worker.db, receiver)) ?? ''
  const txid = createHash('sha256').update(`bench deposit ${transfers}`).digest('hex')
  const block = 100_000_000 + transfers
  await recordTransfer(gateway.pool, { txid, block, at, address, amount: AMOUNT })
  await creditTransfer(worker.db, txid, 0, at)
}

async function openHouse(request: z.infer<typeof openRequest>): Promise<House> {
  const chance = chanceFrom(request.seed)
  const somebody = () => 1 + chance.below(request.members)
  const receivers = [...new Set(Array.from({ length: RECEIVERS }, somebody))]
  const api = connect(request.serverUrl, 8, 'aval-api')
  announceReads(api.pool)
  const worker = connect(request.serverUrl, 2)
  const gateway = connect(request.gatewayUrl, 1)
  await ensureAddresses(worker.pool, receivers)
  const house = { api, worker, gateway, at: request.at, anybody: () => BigInt(somebody()), receivers }
  for (let count = 0; count < WARM_UPS; count += 1) {
    await readDashboard(api.db, house.anybody(), house.at)
    if (count % 10 === 0) await credit(house)
  }
  return house
}

let house: House | null = null
let finish: (() => Promise<Readings>) | null = null

async function handle(message: unknown): Promise<unknown> {
  const request = requests.parse(message)
  if (request.ask === 'open') {
    house = await openHouse(request)
    return 'open'
  }
  if (request.ask === 'memory') return peakRssOfChildMb()
  if (house === null) throw new Error('nothing is open')
  if (request.ask === 'finish') return finish?.()
  finish = startWatch(house)
  if (request.ask === 'begin') return 'begun'
  await sleep(IDLE_MS)
  return finish()
}

answerParent(handle)
