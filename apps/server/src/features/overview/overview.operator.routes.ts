import * as contract from '@aval/contract'
import { formatAmount } from '@aval/money'
import { route, routes } from '../../http/route.ts'
import { RUNS_OF_POOL } from './cover.rules.ts'
import { type Overview, readOverview } from './overview.queries.ts'

/** GET operator/overview/ */
function presentOverview(overview: Overview): contract.OperatorOverview {
  const { totals, house, awaiting, chain, companyAddress } = overview
  const amounts = new Map<string, bigint>(house.map(({ account, amount }) => [account, amount]))
  const amountOf = (...accounts: string[]) =>
    formatAmount(accounts.reduce((sum, account) => sum + (amounts.get(account) ?? 0n), 0n))
  return {
    custody: formatAmount(totals.deposits + totals.hot + totals.cold),
    wallets: {
      deposits: formatAmount(totals.deposits),
      hot: formatAmount(totals.hot),
      cold: formatAmount(totals.cold),
    },
    principal: formatAmount(totals.principal),
    balances: formatAmount(totals.balances),
    held: formatAmount(totals.held),
    pending: formatAmount(totals.pending),
    receivables: formatAmount(totals.receivables),
    company_revenue: formatAmount(totals.revenue),
    company_capital: amountOf('company:capital'),
    pools: (['profit', 'commission'] as const).map((pool) => ({
      pool,
      // What a run took out and has not posted yet still belongs to its pool.
      amount: amountOf(`pool:${pool}`, `due:${pool}`),
      awaiting: formatAmount(RUNS_OF_POOL[pool].reduce((sum, kind) => sum + (awaiting.get(kind) ?? 0n), 0n)),
    })),
    members: totals.members,
    chain,
    company_address: companyAddress,
  }
}

const operator = { access: 'operator', tags: ['operator'] } as const

export const overviewOperatorRoutes = routes({
  readOverview: route({
    ...operator,
    call: 'GET /operator/overview/',
    ability: 'treasury.read',
    replica: true,
    summary: 'Where every micro-USDT is',
    response: { 200: contract.operatorOverview },
    handler: async (_input, { db }) => presentOverview(await readOverview(db)),
  }),
})
