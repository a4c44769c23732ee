/** Keeps the ledger's partitions, by the hour, as the owner of the database: no program's role can make one. */
import { openClient } from '@aval/db/client'
import { keepLedger } from '@aval/db/upkeep'
import type pg from 'pg'

const PACE_MS = 3_600_000

/**
 * Looks at once, then by the hour, until it is stopped. What fails is said, and tried again the next time; the worker stops payments
 * where a partition is missing.
 *
 * @param say takes a line for the output of `npm start`
 */
export function watchLedger(ownerUrl: string, say: (line: string) => void) {
  let client: pg.Client | null = null
  const look = async (): Promise<void> => {
    const owner = openClient(ownerUrl, { application_name: 'aval-upkeep' })
    client = owner
    try {
      await owner.connect()
      for (const line of await keepLedger(owner, new Date())) say(line)
    } catch (error) {
      if (client !== null)
        say(`The ledger was not kept: ${(error as Error).message}; it is tried again within the hour.`)
    } finally {
      await owner.end().catch(() => undefined)
    }
  }
  let looking: Promise<void> | null = null
  const begin = () => {
    looking ??= look().finally(() => {
      looking = null
    })
  }
  begin()
  const timer = setInterval(begin, PACE_MS)
  return {
    /** What is under way is undone: it is one transaction a part. */
    async stop(): Promise<void> {
      clearInterval(timer)
      const open = client
      client = null
      await open?.end().catch(() => undefined)
      await looking
    },
  }
}
