/** What an installation has before its first payday: the pin, a plan, and pools that the company has filled. */
import { createHash } from 'node:crypto'
import { type Connection, connect, inTransaction } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import { creditTransfer } from '../apps/server/src/features/deposits/credit.commands.ts'
import { ensureInstallation } from '../apps/server/src/features/identity/registration/installation.commands.ts'
import { depositAddressOf } from '../apps/server/src/features/investments/investments.queries.ts'
import { storePlan } from '../apps/server/src/features/plan-versions/plan-versions.commands.ts'
import { HOUSE, post } from '../apps/server/src/ledger/ledger.commands.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { recordTransfer } from './transfer.sql.ts'

/**
 * The default plan, with guards as wide as the network: the root of a star earns on every investment of the day, and the
 * checks of a plan for small ones would rightly hold that.
 */
const PLAN: PlanDocument = {
  ...DEFAULT_PLAN,
  guards: { changePercent: '50', changeFrom: '1000', memberMost: '500000000', runMost: '1000000000' },
}

async function payIn(server: Connection, gateway: Connection, amount: Micro, at: Date): Promise<void> {
  const address = await depositAddressOf(server.db, HOUSE)
  const txid = createHash('sha256').update('bench capital').digest('hex')
  await recordTransfer(gateway.pool, { txid, block: 1, at, address, amount })
  await creditTransfer(server.db, txid, 0, at)
}

/**
 * Pins the installation, stores the first plan, and fills each pool with as much as members have invested: thirty days of
 * passive profit, and more commission than any day can ask for.
 */
export async function endow(
  urls: { readonly serverUrl: string; readonly gatewayUrl: string },
  invested: bigint,
  at: Date,
): Promise<void> {
  const server = connect(urls.serverUrl, 2)
  const gateway = connect(urls.gatewayUrl, 1)
  try {
    await ensureInstallation({ db: server.db, config: testConfig(urls.serverUrl) })
    await storePlan(server.db, 1, new Date(0), PLAN)
    await payIn(server, gateway, micro(2n * invested), at)
    const amount = micro(invested)
    await inTransaction(server.db, async (tx) => {
      for (const kind of ['fund_profit', 'fund_commission'] as const)
        await post(tx, {
          key: `bench:${kind}`,
          kind: 'fund',
          memberId: HOUSE,
          at,
          movements: [{ kind, amount }],
        })
    })
  } finally {
    await Promise.all([server.close(), gateway.close()])
  }
}
