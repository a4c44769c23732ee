/** Ends sessions of our programs that keep the others from working, as the owner of the database. */
import { openClient } from '@aval/db/client'
import { endStalling, PATIENCE, type Patience, type Stalling } from '@aval/db/stalling'
import type pg from 'pg'

const PACE_MS = 5_000

const reasons: Readonly<Record<Stalling['why'], string>> = {
  blocks: 'others waited for a lock of it',
  idle: 'its transaction was open and did nothing',
}

/**
 * Looks every few seconds until it is stopped. A database that cannot be asked is asked again the next time.
 *
 * @param say takes a line for the output of `npm start`
 */
export function watchStalling(
  ownerUrl: string,
  say: (line: string) => void,
  { patience, everyMs }: { patience: Patience; everyMs: number } = { patience: PATIENCE, everyMs: PACE_MS },
) {
  let client: pg.Client | null = null
  let looking: Promise<void> | null = null

  const connected = async (): Promise<pg.Client> => {
    if (client !== null) return client
    const opened = openClient(ownerUrl, {
      application_name: 'aval-start',
      connectionTimeoutMillis: PACE_MS,
      query_timeout: PACE_MS,
    })
    opened.on('error', () => disconnect(opened))
    await opened.connect()
    client = opened
    return opened
  }
  const disconnect = (ended: pg.Client): void => {
    if (client === ended) client = null
    ended.end().catch(() => undefined)
  }
  const look = async (): Promise<void> => {
    try {
      for (const { login, why } of await endStalling(await connected(), patience))
        say(`A session of ${login} was ended: ${reasons[why]}.`)
    } catch {
      if (client !== null) disconnect(client)
    }
  }
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null
    })
  }, everyMs)
  return {
    async stop(): Promise<void> {
      clearInterval(timer)
      await looking
      await client?.end().catch(() => undefined)
    },
  }
}
