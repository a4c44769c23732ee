/** Notifications of the database, heard on a connection of their own that is opened again when it is lost. */
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { openClient } from '@aval/db'

const RECONNECT_MS = 1000

export interface Listener {
  readonly channel: string
  /** How the connection is called in the database. */
  readonly name: string
  readonly heard: (payload: string) => void
  /** From here on everything is heard: at first, and after a connection was lost and something may have been missed. */
  readonly listening?: () => void
}

/** Listens until it is stopped. LISTEN does not pass a pooler in transaction mode. */
export function listen(databaseUrl: string, listener: Listener): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const { signal } = stopping
  const untilLost = async () => {
    const client = openClient(databaseUrl, {
      application_name: listener.name,
      connectionTimeoutMillis: 10_000,
    })
    client.on('notification', ({ payload = '' }) => listener.heard(payload))
    try {
      await client.connect()
      await client.query(`LISTEN ${listener.channel}`)
      listener.listening?.()
      await once(client, 'end', { signal })
    } finally {
      await client.end()
    }
  }
  const listening = (async () => {
    while (!signal.aborted) {
      await untilLost().catch(() => undefined)
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
