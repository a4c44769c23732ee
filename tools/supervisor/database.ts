/** The product's database: the embedded one, kept up like any other process, or the server of DATABASE_URL. */

import { type Embedded, EmbeddedError, startEmbedded } from '@aval/db/embedded'
import { prepareDatabase } from '@aval/db/prepare'
import pg from 'pg'
import type { StartConfig } from '../core/config.ts'
import { lineOf, Refusal } from '../core/refusal.ts'
import type { Secrets } from './secrets.ts'

export interface Database {
  readonly ownerUrl: string
  readonly serverUrl: string
  readonly gatewayUrl: string
  readonly signerUrl: string
  /** Of the embedded database. */
  readonly port: number | null
  readonly pid: () => number | null
  readonly stop: () => Promise<void>
}

export interface DatabaseEvents {
  readonly changed: () => void
  readonly lost: (line: string) => void
}

const connectLimitMs = 10_000
const restarts = 5
/** Who stayed up for as long was well: what ended it is a new trouble, with all its restarts. */
const stableMs = 60_000

/** How often it may be started again, one that lived for `livedMs` having ended with `left` to go. Below zero: no more. */
export function restartsAfter(left: number, livedMs: number): number {
  return (livedMs >= stableMs ? restarts : left) - 1
}

/** @throws Refusal with one line for the person who starts the product. */
export async function openDatabase(
  config: StartConfig,
  secrets: Secrets,
  events: DatabaseEvents,
): Promise<Database> {
  const cluster =
    config.databaseUrl === null ? await startCluster(config.dataDir, secrets.ownerPassword, events) : null
  const ownerUrl = cluster?.url ?? config.databaseUrl ?? ''
  try {
    if (!cluster) await probe(ownerUrl)
    const { serverPassword, gatewayPassword, signerPassword } = secrets
    const urls = await prepareDatabase({
      ownerUrl,
      serverPassword,
      gatewayPassword,
      signerPassword,
    })
    const noop = () => Promise.resolve()
    return {
      ownerUrl,
      ...urls,
      port: cluster?.port ?? null,
      pid: cluster?.pid ?? (() => null),
      stop: cluster?.stop ?? noop,
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

interface Cluster {
  readonly url: string
  readonly port: number
  readonly pid: () => number | null
  readonly stop: () => Promise<void>
}

/** Starts it, and again on the same port when it dies under us, a limited number of times. */
async function startCluster(dataDir: string, password: string, events: DatabaseEvents): Promise<Cluster> {
  let running: Embedded | null = await startRefusing(dataDir, password)
  const { url, port } = running
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
      running = await startRefusing(dataDir, password, port)
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
    pid: () => running?.pid ?? null,
    stop: async () => {
      isStopping = true
      await restarting
      await running?.stop()
    },
  }
}

async function startRefusing(dataDir: string, password: string, port?: number): Promise<Embedded> {
  try {
    return await startEmbedded({ dataDir, password, ...(port !== undefined && { port }) })
  } catch (error) {
    if (error instanceof EmbeddedError) throw new Refusal(error.message)
    throw error
  }
}

/** A server that does not answer would otherwise hold the start for minutes. */
async function probe(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: connectLimitMs })
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    const { host } = new URL(url)
    throw new Refusal(`DATABASE_URL: the database at ${host} cannot be reached: ${lineOf(error)}`)
  } finally {
    await client.end().catch(() => undefined)
  }
}
