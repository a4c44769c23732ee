/**
 * What members read and what payout runs write share the cores of the database. The API announces that it is being asked,
 * with a notification; workers listen. It needs no rights on the other's connections and works across roles and processes.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'

const CHANNEL = 'api_reads'
/** Ten notifications a second at most, however many calls there are. */
const ANNOUNCE_EVERY_MS = 100
const RECONNECT_MS = 1000

/** Announces, from now on, that this pool's connections are in use. */
export function announceReads(pool: pg.Pool): void {
  let announced = Number.NEGATIVE_INFINITY
  pool.on('acquire', () => {
    const now = performance.now()
    if (now - announced < ANNOUNCE_EVERY_MS) return
    announced = now
    // A hint only: what fails here fails for the call as well, which says so.
    pool.query(`NOTIFY ${CHANNEL}`).catch(() => undefined)
  })
}

/** Calls `heard` at every announcement, on a connection of its own that is opened again when it is lost. */
export function listenForReads(databaseUrl: string, heard: () => void): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const listen = async () => {
    const client = new pg.Client({ connectionString: databaseUrl, application_name: 'aval-worker' })
    client.on('notification', heard)
    // Without a listener of its own, an error after the last `once` would end the process.
    client.on('error', () => undefined)
    try {
      await client.connect()
      await client.query(`LISTEN ${CHANNEL}`)
      await once(client, 'end', { signal })
    } finally {
      await client.end()
    }
  }
  const listening = (async () => {
    while (!signal.aborted) {
      await listen().catch(() => undefined)
      await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
  })()
  return {
    stop() {
      stopping.abort()
      return listening
    },
  }
}
