/** Runs the auditor's step whenever a run is sealed, and every few seconds for what was not heard of. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Connection } from '@aval/db'
import type { Said } from './auditor.ts'

export type Say = (level: 'info' | 'warn' | 'error', event: string, fields?: object) => void

const ROUND_MS = 2_000
const LONGEST_PAUSE_MS = 30_000

/** What of a connection is used here. */
interface Listening {
  on(event: 'notification', heard: () => void): unknown
  on(event: 'error', lost: () => void): unknown
  removeAllListeners(event: string): unknown
  query(text: string): Promise<unknown>
  release(destroy: boolean): void
}

/** Hears of sealed runs. The connection that was lost is opened anew by the next call of `listen`. */
function earOf({ pool }: Pick<Connection, 'pool'>, heard: () => void) {
  let client: Listening | null = null
  const drop = (): void => {
    client?.removeAllListeners('notification')
    client?.release(true)
    client = null
  }
  return {
    async listen(): Promise<void> {
      if (client !== null) return
      const opened: Listening = await pool.connect()
      client = opened
      opened.on('notification', heard)
      opened.on('error', drop)
      await opened.query('LISTEN payout_run_sealed').catch((error: unknown) => {
        drop()
        throw error
      })
    },
    drop,
  }
}

/** Until it is to stop. A round that fails is tried again after a growing pause. @param ready called after the first that succeeded */
export async function follow(
  connection: Connection,
  step: (heard: (said: Said) => void) => Promise<number>,
  { say, stopped, ready }: { say: Say; stopped: AbortSignal; ready: () => void },
): Promise<void> {
  let heard = new AbortController()
  const ear = earOf(connection, () => heard.abort())
  const tell = ({ run, verdict }: Said) =>
    say(verdict === 'matches' ? 'info' : 'error', `run.${verdict}`, { run: String(run) })
  for (let failures = 0; !stopped.aborted; ) {
    // Before the round: what is sealed while it works is looked for again.
    heard = new AbortController()
    try {
      await ear.listen()
      await step(tell)
      failures = 0
      ready()
    } catch (error) {
      failures += 1
      say('warn', 'round.failed', { error: error instanceof Error ? error.message : String(error), failures })
    }
    const signal = AbortSignal.any([stopped, heard.signal])
    const pauseMs = Math.min(ROUND_MS * 2 ** Math.min(failures, 10), LONGEST_PAUSE_MS)
    await sleep(pauseMs, undefined, { signal }).catch(() => undefined)
  }
  ear.drop()
}
