/**
 * Pins the company's wallets, once, with what they held before we looked: the solid chain stands at the same block before
 * and after they are read, and the cursor is at that block. Everything up to it is in the opening; all that comes later is
 * read.
 */
import { inTransaction } from '@aval/db'
import { findCursor, holdCursor } from '../chain/cursor.sql.ts'
import { findWallets, registerWallet } from './custody.sql.ts'
import type { CustodyParts } from './parts.ts'
import { readHoldings } from './readings.ts'

/**
 * Pins both wallets if the chain stands still for long enough; false when it did not, and nothing was done.
 * @throws NodeError, NodesSilent, ChainFault and what the database throws
 */
export async function registerWallets(parts: CustodyParts): Promise<boolean> {
  const { db, network, nodes, usdt, wallets, log } = parts
  const both = [
    { address: wallets.hot, role: 'hot' },
    { address: wallets.cold, role: 'cold' },
  ] as const
  const cursor = await findCursor(db, network)
  if (cursor === null) return false
  const readings = await readHoldings(nodes, usdt, [wallets.hot, wallets.cold])
  const isAtCursor = (number: number) => number === cursor.number
  if (readings.length < 2) return false
  if (!readings.every((each) => isAtCursor(each.fromBlock) && isAtCursor(each.toBlock))) return false
  const registered = await inTransaction(db, async (tx) => {
    if (!(await holdCursor(tx, network, cursor))) return false
    if ((await findWallets(tx)).length > 0) return true
    for (const wallet of both) {
      const held = readings.find((each) => each.address === wallet.address)?.usdt ?? 0n
      await registerWallet(tx, wallet, held, cursor.number)
    }
    return true
  })
  if (registered) {
    for (const { address, usdt: held } of readings) {
      log.info('custody.registered', { address, opening: held, block: cursor.number })
    }
  }
  return registered
}
