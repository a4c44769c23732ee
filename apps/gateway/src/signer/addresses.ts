/** Derives deposit addresses ahead of need. A member claims the next one; nobody but the signer adds any. */
import type { Database } from '@aval/db/connect'
import type { TronAddress } from '@aval/tron'
import { describeError, type Log } from '../core/log.ts'
import { pause } from '../core/polling.ts'
import { readStock, type Stock, storeAddresses } from './addresses.sql.ts'

/** How many are kept ahead; below half of it more are derived. */
export const STOCK_AHEAD = 1_000n
/** Derived without a pause, in some 25 ms: signatures are asked for meanwhile. */
const BATCH = 50n
const ROUND_MS = 2_000

/** Of the opened keys, what derives addresses. */
export interface DerivingKeys {
  depositAddress(index: bigint): TronAddress | null
}

interface Deriving {
  readonly db: Database
  readonly keys: DerivingKeys
  readonly log: Log
}

/** What follows index `first`: `count` of them, fewer at the end of all numbers. */
export function deriveAddresses(keys: DerivingKeys, first: bigint, count: bigint): TronAddress[] {
  return Array.from({ length: Number(count) }, (_, place) =>
    keys.depositAddress(first + BigInt(place)),
  ).filter((address) => address !== null)
}

const isDue = ({ unclaimed, underived }: Stock, wanted: bigint): boolean =>
  unclaimed < wanted || underived > 0n

/**
 * Fills the stock up, where less than half of it is left or addresses of an older version are still to be derived.
 * @throws what the database throws; what was stored before stays
 */
export async function fillStock({ db, keys, log }: Deriving, signal: AbortSignal): Promise<void> {
  let stock = await readStock(db)
  if (!isDue(stock, STOCK_AHEAD / 2n)) return
  const before = stock.derived
  while (isDue(stock, STOCK_AHEAD) && !signal.aborted) {
    const derived = deriveAddresses(keys, stock.derived, BATCH)
    if (derived.length === 0) throw new Error('every number of an address is used up')
    const next = await storeAddresses(db, stock.derived, derived)
    if (next <= stock.derived) throw new Error('the database stores none')
    stock = await readStock(db)
  }
  log.info('addresses.derived', { from: String(before), next: String(stock.derived) })
}

/** Looks after the stock until it is stopped. */
export async function keepStock(context: Deriving, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await fillStock(context, signal).catch((error: unknown) =>
      context.log.warn('addresses.failed', { error: describeError(error) }),
    )
    await pause(ROUND_MS, signal)
  }
}
