/** Hears of approvals and members' keys when they are submitted; without the connection, the signer finds them a little later by itself. */
import type { Connection } from '@aval/db/connect'
import { describeError, type Log } from '../core/log.ts'

export interface Notices {
  /** Listens again where the connection was lost. */
  listen(): Promise<void>
  close(): void
}

/** What of a connection is used here. */
interface Listening {
  on(event: 'notification', heard: () => void): unknown
  on(event: 'error', lost: (error: Error) => void): unknown
  removeAllListeners(event: string): unknown
  release(destroy: boolean): void
  query(text: string): Promise<unknown>
}

export function createNotices({ pool }: Pick<Connection, 'pool'>, log: Log, heard: () => void): Notices {
  let client: Listening | null = null

  const drop = (error: boolean): void => {
    client?.removeAllListeners('notification')
    client?.release(error)
    client = null
  }
  return {
    async listen() {
      if (client !== null) return
      const opened: Listening = await pool.connect()
      client = opened
      opened.on('notification', heard)
      opened.on('error', (error) => {
        log.warn('notices.lost', { error: describeError(error) })
        if (client === opened) drop(true)
      })
      try {
        await opened.query('LISTEN approval_submitted; LISTEN member_key_submitted')
      } catch (error) {
        if (client === opened) drop(true)
        throw error
      }
    },
    close: () => drop(true),
  }
}
