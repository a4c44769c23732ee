/** The product's database: the embedded one, kept up like any other process, or the server of DATABASE_URL. */
import { hostsOf } from '@aval/db/address'
import { openClient } from '@aval/db/client'
import { type Embedded, startEmbedded } from '@aval/db/embedded'
import { prepareDatabase } from '@aval/db/prepare'
import type { StartConfig } from '../core/config.ts'
import { lineOf, Refusal } from '../core/refusal.ts'
import type { Secrets } from './secrets.ts'

export type Database = Awaited<ReturnType<typeof openDatabase>>

export interface DatabaseEvents {
  readonly changed: () => void
  readonly lost: (line: string) => void
}

const connectLimitMs = 10_000
const restarts = 5
/** After so long a life an end is a new trouble, with all its restarts. */
const stableMs = 60_000

/** How often it may be started again, one that lived for `livedMs` having ended with `left` to go. Below zero: no more. */
export function restartsAfter(left: number, livedMs: number): number {
  return (livedMs >= stableMs ? restarts : left) - 1
}

/** @throws Refusal with one line for the person who starts the product. */
export async function openDatabase(config: StartConfig, secrets: Secrets, events: DatabaseEvents) {
  let cluster: Cluster | null = null
  try {
    if (config.databaseUrl === null)
      cluster = await startCluster(config.dataDir, secrets.superuserPassword, events)
    else await probe(config.databaseUrl)
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

/** Starts it, and again on the same port when it dies under us, a limited number of times. */
async function startCluster(dataDir: string, password: string, events: DatabaseEvents) {
  let running: Embedded | null = await startEmbedded({ dataDir, password })
  const { url, port, superuserUrl } = running
  let isStopping = false
  let left = restarts
  let restarting: Promise<void> = Promise.resolve()

  const watch = (embedded: Embedded) => {
    const started = performance.now()
    void embedded.exited.then(() => {
      running = null
      events.changed()
      if (isStopping) return
      left = restartsAfter(left, performance.now() - started)
      restarting = restart()
    })
  }
  const restart = async () => {
    if (left < 0)
      return events.lost(`The embedded database does not stay up (see ${dataDir}/logs/postgres.log)`)
    try {
      running = await startEmbedded({ dataDir, password, port })
      watch(running)
      events.changed()
    } catch (error) {
      events.lost(lineOf(error))
    }
  }
  watch(running)
  return {
    url,
    port,
    superuserUrl,
    pid: () => running?.pid ?? null,
    async stop() {
      isStopping = true
      await restarting
      await running?.stop()
    },
  }
}

/** A server that does not answer would otherwise hold the start for minutes. */
async function probe(url: string): Promise<void> {
  const client = openClient(url, { connectionTimeoutMillis: connectLimitMs })
  try {
    await client.connect()
  } catch (error) {
    throw new Refusal(`DATABASE_URL: the database at ${hostsOf(url)} cannot be reached: ${lineOf(error)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}
