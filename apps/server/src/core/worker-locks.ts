/**
 * Which worker processes live. A worker that is killed in the middle of a job leaves it locked, and the library frees such locks after
 * hours. So each process holds an advisory lock under its name, on a connection that ends with it, and whoever finds a job that is
 * locked by a name without one frees it: at its start, and every half minute.
 */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '@aval/db'
import type pg from 'pg'

const LOCK_CLASS = 7302
const RECONNECT_MS = 1000
/** PostgreSQL asks a machine that says nothing whether it is there: one that lost its power is gone after half a minute. */
const KEEPALIVE =
  'SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3'

export interface LivingWorker {
  /** From here on the others know that it lives. */
  readonly known: Promise<void>
  stop(): Promise<void>
}

/**
 * Holds the lock of this name until it is stopped. After the connection was lost it is taken again: jobs that others began meanwhile
 * find what this process has done of them in the rows.
 */
export function liveAs(name: string, databaseUrl: string): LivingWorker {
  const stopping = new AbortController()
  const { signal } = stopping
  const known = Promise.withResolvers<void>()
  const untilLost = async () => {
    const client = openClient(databaseUrl, { application_name: 'aval-worker' })
    try {
      await client.connect()
      await client.query(KEEPALIVE)
      // Shared: its own connection that was cut may be there still.
      await client.query('SELECT pg_advisory_lock_shared($1, hashtext($2))', [LOCK_CLASS, name])
      known.resolve()
      await once(client, 'end', { signal })
    } finally {
      await client.end()
    }
  }
  const living = (async () => {
    while (!signal.aborted) {
      await untilLost().catch(() => undefined)
      await pause(RECONNECT_MS, undefined, { signal }).catch(() => undefined)
    }
    known.resolve()
  })()
  return {
    known: known.promise,
    stop() {
      stopping.abort()
      return living
    },
  }
}

/** Frees the jobs of workers that are no more. @returns their names */
export async function freeDeadLocks(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ locked_by: string }>(
    `SELECT DISTINCT j.locked_by FROM graphile_worker.jobs j WHERE j.locked_by IS NOT NULL AND NOT EXISTS (
       SELECT FROM pg_locks l WHERE l.locktype = 'advisory' AND l.granted AND l.classid = $1::oid AND l.objsubid = 2
         AND l.objid = (hashtext(j.locked_by)::bigint & 4294967295)::oid
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database()))`,
    [LOCK_CLASS],
  )
  const names = rows.map(({ locked_by }) => locked_by)
  if (names.length > 0) await pool.query('SELECT graphile_worker.force_unlock_workers($1::text[])', [names])
  return names
}
