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

const requests = z.discriminatedUnion('ask', [
  z.object({
    ask: z.literal('open'),
    serverUrl: z.string(),
    gatewayUrl: z.string(),
    members: z.int(),
    seed: z.int(),
    at: z.date(),
  }),
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

/** Calls `work` by the clock until `stop`; each call gets the time at which it was due. */
function byTheClock(everyMs: number, work: (due: number) => unknown): { stop(): Promise<void> } {
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
  return {
    stop() {
      going = false
      return ended
    },
  }
}

class Watch {
  readonly #house: House
  readonly #reads: number[] = []
  readonly #deposits: number[] = []
  readonly #waiting = new Set<Promise<void>>()
  readonly #clocks: readonly { stop(): Promise<void> }[]
  #skipped = 0
  #failures: string[] = []

  constructor(house: House) {
    this.#house = house
    this.#clocks = [
      byTheClock(READ_EVERY_MS, (due) => this.#comeBy(due)),
      byTheClock(DEPOSIT_EVERY_MS, () => this.#deposit()),
    ]
  }

  /** Begins a read and does not wait for it. */
  #comeBy(due: number): void {
    if (this.#waiting.size >= MOST_WAITING) {
      this.#skipped += 1
      return
    }
    const { api, anybody, at } = this.#house
    const read: Promise<void> = readDashboard(api.db, anybody(), at)
      .then(() => void this.#reads.push(performance.now() - due))
      .catch((error: unknown) => void this.#failures.push(String(error)))
      .finally(() => this.#waiting.delete(read))
    this.#waiting.add(read)
  }

  /** One after the other, as the worker credits the deposits of one member; from recorded to credited. */
  async #deposit(): Promise<void> {
    const begun = performance.now()
    try {
      await credit(this.#house)
      this.#deposits.push(performance.now() - begun)
    } catch (error) {
      this.#failures.push(String(error))
    }
  }

  async finish(): Promise<Readings> {
    await Promise.all(this.#clocks.map((clock) => clock.stop()))
    await Promise.all(this.#waiting)
    return {
      reads: spreadOf(this.#reads),
      deposits: spreadOf(this.#deposits),
      skipped: this.#skipped,
      failed: this.#failures.length,
      firstFailure: this.#failures[0] ?? null,
    }
  }
}

let transfers = 0

/** A transfer that nobody asked for: it becomes balance. */
async function credit({ worker, gateway, receivers, at }: House): Promise<void> {
  transfers += 1
  const receiver = BigInt(receivers[transfers % receivers.length] ?? 1)
  const address = await depositAddressOf(worker.db, receiver)
  const txid = createHash('sha256').update(`bench deposit ${transfers}`).digest('hex')
  const block = 100_000_000 + transfers
  await recordTransfer(gateway.pool, { txid, block, at, address, amount: AMOUNT })
  await creditTransfer(worker.db, txid, 0, at)
}

async function openHouse(request: {
  serverUrl: string
  gatewayUrl: string
  members: number
  seed: number
  at: Date
}): Promise<House> {
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
let watch: Watch | null = null

async function handle(message: unknown): Promise<unknown> {
  const request = requests.parse(message)
  if (request.ask === 'open') {
    house = await openHouse(request)
    return 'open'
  }
  if (request.ask === 'memory') return peakRssOfChildMb()
  if (house === null) throw new Error('nothing is open')
  if (request.ask === 'finish') return watch?.finish()
  watch = new Watch(house)
  if (request.ask === 'begin') return 'begun'
  await sleep(IDLE_MS)
  return watch.finish()
}

answerParent(handle)
