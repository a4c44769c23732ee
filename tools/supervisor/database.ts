/** The product's database: the embedded one, kept up like any other process, or the server of DATABASE_URL. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hostsOf } from '@aval/db/address'
import { openClient } from '@aval/db/client'
import { type Embedded, startEmbedded } from '@aval/db/embedded'
import { checkDatabase, prepareDatabase } from '@aval/db/prepare'
import type { StartConfig } from '../core/config.ts'
import { lineOf, Refusal } from '../core/refusal.ts'
import { boundAppended } from './child-log.ts'
import { watchRoom } from './room.ts'
import type { Secrets } from './secrets.ts'

export type Database = Awaited<ReturnType<typeof openDatabase>>

export interface DatabaseEvents {
  readonly changed: () => void
  /** It ended again and again: it is started as long as it takes, because the disk may have room again. */
  readonly struggles: (line: string) => void
  /** A line for the output of `npm start`. */
  readonly say: (line: string) => void
}

/** A slow machine takes its time; a host that is not there would hold the start for minutes. */
const connectLimitMs = 60_000
const restartPausesMs = [0, 500, 1_000, 2_000, 5_000, 10_000]
/** After so long a life an end is a new trouble. */
const stableMs = 60_000
const boundLogEveryMs = 60_000

/** Before the start number `failures` of a row that began when it had lived for long. */
export const restartPause = (failures: number): number =>
  restartPausesMs[Math.min(failures, restartPausesMs.length) - 1] ?? 0

/** @throws Refusal with one line for the person who starts the product. */
export async function openDatabase(config: StartConfig, secrets: Secrets, events: DatabaseEvents) {
  let cluster: Cluster | null = null
  try {
    if (config.databaseUrl === null)
      cluster = await startCluster(config.dataDir, secrets.superuserPassword, events)
    const ownerUrl = cluster?.url ?? config.databaseUrl ?? ''
    const urls = await prepareDatabase(ownerUrl, secrets.database)
    return {
      ownerUrl,
      ...urls,
      /** Of the embedded database. */
      port: cluster?.port ?? null,
      superuserUrl: cluster?.superuserUrl ?? null,
      pid: cluster?.pid ?? (() => null),
      stop: cluster?.stop ?? (() => Promise.resolve()),
    }
  } catch (error) {
    await cluster?.stop()
    throw isExpected(error) ? new Refusal(lineOf(error)) : error
  }
}

/** Refusals of the database package carry a code of ours. */
function isExpected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('database_')
}

type Cluster = Awaited<ReturnType<typeof startCluster>>

/** Starts it, and again on the same port whenever it dies under us. */
async function startCluster(dataDir: string, password: string, events: DatabaseEvents) {
  let running: Embedded | null = await startEmbedded({ dataDir, password })
  const { url, port, superuserUrl } = running
  const stopping = new AbortController()
  let failures = 0
  let restarting: Promise<void> = Promise.resolve()
  const log = join(dataDir, 'logs', 'postgres.log')
  const room = watchRoom(dataDir, superuserUrl, events.say)
  await room.look()
  const bounding = setInterval(() => boundAppended(log), boundLogEveryMs)

  const watch = (embedded: Embedded) => {
    const started = performance.now()
    void embedded.exited.then(() => {
      running = null
      events.changed()
      if (performance.now() - started >= stableMs) failures = 0
      if (!stopping.signal.aborted) restarting = restart()
    })
  }
  const restart = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      failures += 1
      await sleep(restartPause(failures), undefined, { signal: stopping.signal }).catch(() => undefined)
      if (stopping.signal.aborted) return
      try {
        running = await startEmbedded({ dataDir, password, port })
        watch(running)
        await room.look()
        return events.changed()
      } catch (error) {
        if (failures === restartPausesMs.length) events.struggles(lineOf(error))
      }
    }
  }
  watch(running)
  return {
    url,
    port,
    superuserUrl,
    pid: () => running?.pid ?? null,
    async stop() {
      stopping.abort()
      clearInterval(bounding)
      await room.stop()
      await restarting
      await running?.stop()
    },
  }
}

/**
 * Whether a server of one's own can be used: asked before anything is started.
 * @throws Refusal with one line that says what to do
 */
export async function checkGiven(url: string): Promise<void> {
  const client = openClient(url, { connectionTimeoutMillis: connectLimitMs })
  try {
    await client.connect()
  } catch (error) {
    throw new Refusal(`DATABASE_URL: the database at ${hostsOf(url)} cannot be reached: ${lineOf(error)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
  await checkDatabase(url).catch((error: unknown) => {
    throw isExpected(error) ? new Refusal(`DATABASE_URL: ${lineOf(error)}`) : error
  })
}
