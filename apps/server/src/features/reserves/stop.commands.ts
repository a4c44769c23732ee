/** Whether money is stopped because the chain and the books do not match. */
import type { Db } from '@aval/db'
import { selectStop } from './stop.sql.ts'

/**
 * True from the comparison that found what nothing explains until the one that finds nothing. Whoever lets money go asks
 * in the transaction that does it; the gateway and the signer ask for themselves.
 */
export async function isStopped(db: Db): Promise<boolean> {
  return (await selectStop(db)).stopped
}
