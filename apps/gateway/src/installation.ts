/** Checks that the gateway's settings are those of the database: its network, its token, its wallets. */
import type { Database } from '@aval/db'
import { parseAddress, type TronAddress } from '@aval/tron'
import { findInstallation, type Installation } from './core/installation.sql.ts'
import { describeError, type Log } from './core/log.ts'
import { backoffMs, pause } from './core/polling.ts'
import { findWallets, type Wallet } from './custody/custody.sql.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 2_000

type Wallets = Readonly<Record<'hot' | 'cold', TronAddress>>

/** The gateway cannot work with this database; the message is for the operator who started it. */
export class InstallationRefusal extends Error {
  override readonly name = 'InstallationRefusal'
}

/**
 * Waits until the server has set the installation up, and gives its token; null when the process is to stop first.
 * @throws InstallationRefusal when it was set up for another network or other wallets, or its token is no address
 */
export async function waitForInstallation(
  db: Database,
  network: string,
  wallets: Wallets,
  log: Log,
  signal: AbortSignal,
): Promise<TronAddress | null> {
  let isLogged = false
  for (let attempt = 1; !signal.aborted; attempt += 1) {
    try {
      const [installation, registered] = [await findInstallation(db), await findWallets(db)]
      if (installation !== null) {
        checkWallets(registered, wallets)
        return usdtOf(installation, network)
      }
      if (!isLogged) log.info('installation.waiting', { network })
      isLogged = true
    } catch (error) {
      if (error instanceof InstallationRefusal) throw error
      log.warn('installation.unreadable', { error: describeError(error), attempt })
    }
    await pause(backoffMs(attempt, FIRST_WAIT_MS, LONGEST_WAIT_MS), signal)
  }
  return null
}

function checkWallets(registered: readonly Wallet[], configured: Wallets): void {
  for (const { address, role } of registered) {
    if (configured[role] === address) continue
    const name = role === 'hot' ? 'TRON_HOT_ADDRESS' : 'TRON_COLD_ADDRESS'
    throw new InstallationRefusal(
      `${name} is ${configured[role]}, but this database was set up with ${address}: its books are of that wallet`,
    )
  }
}

function usdtOf(installation: Installation, network: string): TronAddress {
  if (installation.network !== network) {
    throw new InstallationRefusal(
      `TRON_NETWORK is ${network}, but this database was set up for ${installation.network}: its money is on another chain`,
    )
  }
  const usdt = parseAddress(installation.usdt)
  if (usdt === null) throw new InstallationRefusal(`the token ${installation.usdt} is no Tron address`)
  return usdt
}
