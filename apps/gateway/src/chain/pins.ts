/** What this installation is pinned to. Money of another network or another token is no money here. */
import type { Database } from '@aval/db'
import { parseAddress, type TronAddress } from '@aval/tron'
import { backoffMs } from '../core/backoff.rules.ts'
import { describeError, type Log } from '../core/log.ts'
import { pause } from '../core/pause.ts'
import { findWallets, type Wallet } from '../custody/custody.sql.ts'
import { findInstallation } from './installation.sql.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000

/** The gateway cannot do its work with this installation; the message is for the person who started it. */
export class PinRefusal extends Error {
  override readonly name = 'PinRefusal'
}

/**
 * Waits until the server has set the installation up, and gives its token; null when we are to stop meanwhile.
 * @throws PinRefusal when it was set up for another network or other wallets, or its token is no address
 */
export async function readPins(
  db: Database,
  network: string,
  wallets: Readonly<Record<'hot' | 'cold', TronAddress>>,
  log: Log,
  signal: AbortSignal,
): Promise<TronAddress | null> {
  let told = false
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    const found = await findPins(db).catch((error: unknown) => {
      log.warn('pins.unreadable', { error: describeError(error), attempt })
      return undefined
    })
    if (found?.installation) {
      checkWallets(found.wallets, wallets)
      return check(found.installation, network)
    }
    if (found !== undefined && !told) {
      told = true
      log.info('pins.waiting', { network })
    }
    await pause(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal)
  }
  return null
}

async function findPins(db: Database) {
  return { installation: await findInstallation(db), wallets: await findWallets(db) }
}

function checkWallets(pinned: readonly Wallet[], configured: Readonly<Record<'hot' | 'cold', string>>): void {
  for (const { address, role } of pinned) {
    if (configured[role] === address) continue
    const name = role === 'hot' ? 'TRON_HOT_ADDRESS' : 'TRON_COLD_ADDRESS'
    throw new PinRefusal(
      `${name} is ${configured[role]}, but this database was set up with ${address}: its books are of that wallet`,
    )
  }
}

function check(installation: { network: string; usdt: string }, network: string): TronAddress {
  if (installation.network !== network) {
    throw new PinRefusal(
      `TRON_NETWORK is ${network}, but this database was set up for ${installation.network}: its money is on another chain`,
    )
  }
  const usdt = parseAddress(installation.usdt)
  if (usdt === null) throw new PinRefusal(`the pinned token ${installation.usdt} is no Tron address`)
  return usdt
}
