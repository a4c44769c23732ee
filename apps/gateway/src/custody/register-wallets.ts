/**
 * Registers the company's wallets, once, with their opening balances. The solid chain must be at the same block before and
 * after they are read, and the cursor at that block: everything up to it is in the opening, all that comes later is read.
 */
import { inTransaction } from '@aval/db'
import { findCursor, holdCursor } from '../chain/cursor.sql.ts'
import { readBalances } from './balances.ts'
import type { CustodyContext } from './context.ts'
import { findWallets, registerWallet } from './custody.sql.ts'

/**
 * Registers both wallets if the chain stays at one block for long enough; false when it did not, and nothing was done.
 * @throws NodeError, TooFewNodes, ChainFault and what the database throws
 */
export async function registerWallets(context: CustodyContext): Promise<boolean> {
  const { db, network, nodes, usdt, wallets, log } = context
  const cursor = await findCursor(db, network)
  if (cursor === null) return false
  const readings = await readBalances(nodes, usdt, [wallets.hot, wallets.cold])
  const { number } = cursor
  if (readings.length < 2) return false
  if (!readings.every((each) => each.fromBlock === number && each.toBlock === number)) return false
  const registered = await inTransaction(db, async (tx) => {
    if (!(await holdCursor(tx, network, cursor))) return false
    if ((await findWallets(tx)).length > 0) return true
    for (const role of ['hot', 'cold'] as const) {
      const opening = readings.find(({ address }) => address === wallets[role])?.usdt ?? 0n
      await registerWallet(tx, { address: wallets[role], role }, opening, number)
    }
    return true
  })
  if (registered) {
    for (const { address, usdt: opening } of readings) {
      log.info('custody.registered', { address, opening, block: number })
    }
  }
  return registered
}
