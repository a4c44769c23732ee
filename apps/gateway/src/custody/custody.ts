/** Looks after the money that the company holds: what its addresses have, and where it should be. */
import { parseAddress, type TronAddress } from '@aval/tron'
import { unsoundness } from '../chain/standing.rules.ts'
import { findOpen, readAgenda } from '../outgoing/agenda.sql.ts'
import {
  findDepositsAfter,
  findOldest,
  findUnread,
  findWallets,
  lastMoved,
  saveReadings,
} from './custody.sql.ts'
import { moveMoney, type Told } from './moving.ts'
import type { CustodyParts } from './parts.ts'
import { readHoldings } from './readings.ts'
import { registerWallets } from './registering.ts'

export interface Custody {
  /**
   * One round: does what is due.
   * @param now the system's time
   * @throws NodeError, NodesSilent, ChainFault and what the database throws; the next round begins anew
   */
  step(now: Date): Promise<{ readonly busy: boolean }>
}

/** Deposit addresses of which nothing is known to have moved, a few each round. */
const STROLL = 5

export function createCustody(parts: CustodyParts): Custody {
  const { db, log, timing } = parts
  const reader = createReader(parts)
  const told: Told = new Set()
  let registered = false
  let movedAt = Number.NEGATIVE_INFINITY

  return {
    async step(now) {
      const view = parts.view()
      if (view === null || view.failed) return IDLE
      registered ||= (await findWallets(db)).length > 0 || (await registerWallets(parts))
      if (!registered) return IDLE
      await reader.round(now)
      if (parts.signer === null || now.getTime() - movedAt < timing.moveMs) return IDLE
      if (unsoundness(view, parts.soundness, now.getTime()) !== null) return IDLE
      movedAt = now.getTime()
      if ((await readAgenda(db)).stopped) return IDLE
      for (const { txid, purpose, from, to, amount } of await moveMoney(
        parts,
        view,
        await findOpen(db),
        told,
        now,
      )) {
        log.info('move.prepared', { txid, purpose, from, to, amount })
      }
      return IDLE
    },
  }
}

const IDLE = { busy: false }

function createReader({ db, nodes, usdt, wallets, timing }: CustodyParts) {
  let readAt = Number.NEGATIVE_INFINITY
  let moved = -1
  let unreadSince = 0
  let strolled = ''

  const choose = async (last: number): Promise<Set<string>> => {
    const unread = await findUnread(db, unreadSince, timing.addresses)
    // Nothing that moved before the first of these is unread; and where these are all, nothing that moved before the last.
    unreadSince = unread[0]?.moved ?? last
    const stroll = await findDepositsAfter(db, strolled, STROLL)
    strolled = stroll.length < STROLL ? '' : (stroll.at(-1) ?? '')
    const oldest = await findOldest(db, timing.addresses)
    return new Set([wallets.hot, wallets.cold, ...unread.map((each) => each.address), ...oldest, ...stroll])
  }
  return {
    async round(now: Date): Promise<void> {
      const sinceRead = now.getTime() - readAt
      if (sinceRead < timing.afterMoveMs) return
      const last = await lastMoved(db)
      if (last === moved && sinceRead < timing.readMs) return
      const chosen = [...(await choose(last))].map(parseAddress)
      const addresses = chosen.filter((each): each is TronAddress => each !== null)
      await saveReadings(db, await readHoldings(nodes, usdt, addresses), now)
      readAt = now.getTime()
      moved = last
    },
  }
}
