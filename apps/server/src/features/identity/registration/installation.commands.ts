/** What a database is pinned to for good: a network, its USDT contract, and the key that addresses are derived from. */
import { inTransaction } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import { pinInstallation } from './registration.sql.ts'

/** A database that belongs to another installation, in one line for the person who starts the product. */
export class InstallationRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'InstallationRefusal'
  }
}

/** Pins the database at the first start. @throws InstallationRefusal when it is pinned to something else */
export async function ensureInstallation({ db, config }: Pick<Context, 'db' | 'config'>): Promise<void> {
  await inTransaction(db, async (tx) => {
    const pinned = await pinInstallation(tx, {
      network: config.network,
      usdt_contract: config.usdtContract,
      deposit_xpub: config.depositXpub,
    })
    if (pinned.network !== config.network)
      throw new InstallationRefusal(
        `TRON_NETWORK: this database belongs to ${pinned.network}, not to ${config.network}; nothing was changed.`,
      )
    if (pinned.usdt_contract !== config.usdtContract)
      throw new InstallationRefusal(
        `TRON_NETWORK: this database counts USDT of ${pinned.usdt_contract}, not of ${config.usdtContract}.`,
      )
    if (pinned.deposit_xpub !== config.depositXpub)
      throw new InstallationRefusal(
        'TRON_XPUB: the deposit addresses in this database were derived from another xpub; nothing was changed.',
      )
  })
}
