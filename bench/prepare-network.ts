/** A network of members in a database, with the pin, a plan, filled pools and a history: what a measured day begins with. */
import { createHash } from 'node:crypto'
import { type Connection, connect } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { DEFAULT_PLAN, type PlanDocument } from '@aval/plan'
import { creditTransfer } from '../apps/server/src/features/deposits/credit.commands.ts'
import { ensureInstallation } from '../apps/server/src/features/identity/registration/installation.commands.ts'
import { depositAddressOf } from '../apps/server/src/features/investments/investments.queries.ts'
import { HOUSE } from '../apps/server/src/ledger/ledger.commands.ts'
import { fundPool, storePlan } from '../apps/server/src/testing/deciding.ts'
import { testConfig } from '../apps/server/src/testing/server.ts'
import { asOwner } from './database.sql.ts'
import { ENDOWED_AT, LOAD_DATES, PAID, payDay } from './day.ts'
import { type Loaded, loadNetwork } from './load.ts'
import type { Network } from './network.ts'
import { ensureAddresses, recordTransfer } from './transfer.sql.ts'

export interface NetworkOptions {
  readonly ownerUrl: string
  readonly serverUrl: string
  readonly gatewayUrl: string
  readonly network: Network
  /** Without people, invoices and transfers. */
  readonly thin: boolean
  /**
   * What became of the days before the measured one. `marked`: runs of nothing say that they are paid, which the check of
   * the ledger rightly finds. `paid`: all that was invested was invested on one day, which is paid. `open`: nothing.
   */
  readonly history: 'marked' | 'paid' | 'open'
  readonly tell: (line: string) => void
}

export async function prepareNetwork(options: NetworkOptions): Promise<Loaded> {
  const { history } = options
  const dates = history === 'paid' ? { ...LOAD_DATES, earlier: PAID.invested } : LOAD_DATES
  const loaded = await loadNetwork({ ...options, dates })
  const server = connect(options.serverUrl, 8)
  try {
    await endow(server, options, loaded.invested)
    if (history === 'paid') await payDay(server.db, PAID.at)
  } finally {
    await server.close()
  }
  if (history === 'marked') await markHistoryPaid(options.ownerUrl, loaded.earlier)
  return loaded
}

/**
 * The default plan, with guards as wide as the network: the root of a star earns on every investment of the day, and one day
 * is nothing like the day before. The checks of a plan for small networks would rightly hold that.
 */
const PLAN: PlanDocument = {
  ...DEFAULT_PLAN,
  guards: { changePercent: '50', changeFrom: '1000000000', memberMost: '500000000', runMost: '1000000000' },
}

/**
 * Pins the installation, stores the first plan, and fills each pool with as much as members have invested: thirty days of
 * passive profit, and more commission than any day can ask for.
 */
async function endow(
  server: Connection,
  { ownerUrl, serverUrl, gatewayUrl }: NetworkOptions,
  invested: bigint,
): Promise<void> {
  await ensureInstallation({ db: server.db, config: testConfig(serverUrl) })
  const owner = connect(ownerUrl, 1)
  const gateway = connect(gatewayUrl, 1)
  try {
    await storePlan(owner.db, 1, new Date(0), PLAN)
    await ensureAddresses(owner.pool, [Number(HOUSE)])
    await payIn(server, gateway, micro(2n * invested))
    await fundBoth(owner, invested, 'bench')
  } finally {
    await Promise.all([gateway.close(), owner.close()])
  }
}

async function fundBoth(owner: Connection, amount: bigint, key: string): Promise<void> {
  for (const pool of ['profit', 'commission'] as const)
    await fundPool(owner.db, pool, amount, key, ENDOWED_AT)
}

async function payIn(
  server: Connection,
  gateway: Connection,
  amount: Micro,
  name = 'bench capital',
): Promise<void> {
  const address = (await depositAddressOf(server.db, HOUSE)) ?? ''
  const txid = createHash('sha256').update(name).digest('hex')
  await recordTransfer(gateway.pool, { txid, block: 1, at: ENDOWED_AT, address, amount })
  await creditTransfer(server.db, txid, 0, ENDOWED_AT)
}

/** Pays in for more months than one: as much again for each as is invested. */
export async function endowFurther(
  server: Connection,
  { ownerUrl, gatewayUrl }: { readonly ownerUrl: string; readonly gatewayUrl: string },
  months: number,
): Promise<void> {
  const { invested } = await server.db
    .selectFrom('member_balance')
    .select(({ fn }) => fn.sum<string>('principal').as('invested'))
    .executeTakeFirstOrThrow()
  const amount = micro(BigInt(invested) * BigInt(months) * 2n)
  const gateway = connect(gatewayUrl, 1)
  await payIn(server, gateway, micro(2n * amount), 'bench years').finally(() => gateway.close())
  const owner = connect(ownerUrl, 1)
  await fundBoth(owner, amount, 'bench years').finally(() => owner.close())
}

/**
 * Marks what came before the measured day as paid, so that the day pays for itself alone: direct runs cover every investment
 * before today's, the midnight before has its two runs, and the books are closed up to it. They are runs of nothing, because
 * the loaded history has no payments.
 */
async function markHistoryPaid(ownerUrl: string, lastInvestment: number): Promise<void> {
  await asOwner(ownerUrl, async (client) => {
    await client.query('SELECT close_period($1)', [PAID.cutoff])
    await client.query('ALTER TABLE payout_run DISABLE TRIGGER USER')
    await client.query(
      `INSERT INTO payout_run (kind, period, cutoff_at, plan_version, state, at, finished_at, first_investment, last_investment, as_of)
       SELECT kind, period, $1, 1, 'done', $1, $1, first, last, last FROM (VALUES
         ('direct', '1-' || $4::bigint, 1, $4::bigint), ('passive', $2, NULL, NULL), ('binary', $3, NULL, NULL)
       ) run (kind, period, first, last) WHERE last IS NULL OR last > 0`,
      [PAID.cutoff, PAID.day, PAID.matched, lastInvestment],
    )
    await client.query('UPDATE payout_run SET items_hash = seal_payout_run(id)')
    await client.query('ALTER TABLE payout_run ENABLE TRIGGER USER')
  })
}
