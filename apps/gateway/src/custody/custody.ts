/** Keeps track of what the company's addresses hold, and moves money between them. */
import { inTransaction } from '@aval/db'
import { parseAddress } from '@aval/tron'
import { findCursor, holdCursor } from '../chain/cursor.sql.ts'
import { unhealthyReason } from '../chain/health.rules.ts'
import { findOpen, readWork } from '../outgoing/outgoing.sql.ts'
import { readBalances } from './balances.ts'
import type { CustodyContext } from './context.ts'
import {
  findDepositsAfter,
  findOldest,
  findUnread,
  findWallets,
  lastMoved,
  registerWallet,
  saveReadings,
} from './custody.sql.ts'
import { createWarnings, prepareTransfers } from './prepare-transfers.ts'

/** How many deposit addresses without a known movement are read each round. */
const ROTATION = 5
/** How much less often while calls are short. */
const TIMES_SLOWER = 10

export function createCustody(context: CustodyContext) {
  const { db, log, intervals } = context
  const readDue = createBalanceReader(context)
  const warn = createWarnings(log)
  let registered = false
  let movedAt = Number.NEGATIVE_INFINITY

  return {
    /**
     * One round: does what is due.
     * @param now the system's time
     * @throws NodeError, TooFewNodes, ChainFault and what the database throws; the next round starts again
     */
    async step(now: Date): Promise<void> {
      const status = context.status()
      if (status === null || status.failed) return
      registered ||= (await findWallets(db)).length > 0 || (await registerWallets(context))
      if (!registered) return
      await readDue(now)
      if (context.signer === null || now.getTime() - movedAt < intervals.moveMs) return
      if (unhealthyReason(status, context.healthLimits, now.getTime()) !== null) return
      movedAt = now.getTime()
      if ((await readWork(db)).stopped) return
      const prepared = await prepareTransfers(context, status, await findOpen(db), warn, now)
      for (const { txid, purpose, from, to, amount } of prepared) {
        log.info('custody.prepared', { txid, purpose, from, to, amount })
      }
    },
  }
}

/** Reads the balances that are due: of what moved, of the longest unread, and of a few others in rotation. */
function createBalanceReader({ db, nodes, usdt, wallets, intervals }: CustodyContext) {
  let readAt = Number.NEGATIVE_INFINITY
  let moved = -1
  let unreadSince = 0
  let rotatedTo = ''

  const choose = async (last: number): Promise<Set<string>> => {
    const unread = await findUnread(db, unreadSince, intervals.addresses)
    // Nothing that moved before the first of these is unread; without any, nothing that moved before the last movement.
    unreadSince = unread[0]?.moved ?? last
    const rotation = await findDepositsAfter(db, rotatedTo, ROTATION)
    rotatedTo = rotation.length < ROTATION ? '' : (rotation.at(-1) ?? '')
    const oldest = await findOldest(db, intervals.addresses)
    return new Set([wallets.hot, wallets.cold, ...unread.map((each) => each.address), ...oldest, ...rotation])
  }
  return async (now: Date): Promise<void> => {
    const sinceRead = now.getTime() - readAt
    // Two calls an address: where calls are short, they are for blocks.
    const times = nodes.paceMs() > 0 ? TIMES_SLOWER : 1
    if (sinceRead < intervals.afterMoveMs * times) return
    const last = await lastMoved(db)
    if (last === moved && sinceRead < intervals.readMs * times) return
    const addresses = [...(await choose(last))].flatMap((each) => parseAddress(each) ?? [])
    await saveReadings(db, await readBalances(nodes, usdt, addresses), now)
    readAt = now.getTime()
    moved = last
  }
}

/**
 * Registers the company's wallets, once, with their opening balances. The solid chain must be at the same block before and
 * after they are read, and the cursor at that block: everything up to it is in the opening, all that comes later is read.
 * @returns false when the chain did not stay at one block for long enough, and nothing was done
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
