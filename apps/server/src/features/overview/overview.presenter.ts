import type { OperatorOverview, PoolName } from '@aval/contract'
import { formatMicro, micro } from '@aval/money'
import type { Overview } from './overview.queries.ts'

/** The kinds of run that a pool pays. */
const RUNS_OF_POOL: Readonly<Record<PoolName, readonly string[]>> = {
  profit: ['passive'],
  commission: ['direct', 'binary'],
}

const text = (amount: bigint) => formatMicro(micro(amount))

/** GET operator/overview/ */
export function presentOverview(overview: Overview): OperatorOverview {
  const { totals, house, awaiting, chain, companyAddress } = overview
  const amounts = new Map<string, bigint>(house.map(({ account, amount }) => [account, amount]))
  const amountOf = (...accounts: string[]) =>
    text(accounts.reduce((sum, account) => sum + (amounts.get(account) ?? 0n), 0n))
  return {
    custody: text(totals.deposits + totals.hot + totals.cold),
    wallets: { deposits: text(totals.deposits), hot: text(totals.hot), cold: text(totals.cold) },
    principal: text(totals.principal),
    balances: text(totals.balances),
    held: text(totals.held),
    receivables: text(totals.receivables),
    company_revenue: text(totals.revenue),
    company_capital: amountOf('company:capital'),
    pools: (['profit', 'commission'] as const).map((pool) => ({
      pool,
      // What a run took out and has not posted yet still belongs to its pool.
      amount: amountOf(`pool:${pool}`, `due:${pool}`),
      awaiting: text(RUNS_OF_POOL[pool].reduce((sum, kind) => sum + (awaiting.get(kind) ?? 0n), 0n)),
    })),
    members: totals.members,
    chain,
    company_address: companyAddress,
  }
}
