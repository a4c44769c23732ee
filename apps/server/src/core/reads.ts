/**
 * What members read and what payout runs write share the cores of the database. The API announces that it is being asked,
 * with a notification; workers listen. It needs no rights on the other's connections and works across roles and processes.
 */
import type pg from 'pg'
import { listen } from './notifications.ts'

const CHANNEL = 'api_reads'
/** Ten notifications a second at most, however many calls there are. */
const ANNOUNCE_EVERY_MS = 100

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

/** Calls `heard` at every announcement. */
export const listenForReads = (databaseUrl: string, heard: () => void) =>
  listen(databaseUrl, { channel: CHANNEL, name: 'aval-worker', heard })
