import type { ObservedTransfer, OperatorOverview, PoolName } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { formatMicro, type Micro, micro } from '@aval/money'
import { enqueue } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { HOUSE, lockHouse, selectGuarded } from '../../ledger/ledger.commands.ts'
import { depositAddressOf } from '../investments/investments.queries.ts'
import { fundPool } from '../payout-runs/advance.commands.ts'
import {
  selectAwaitingByKind,
  selectChain,
  selectHouse,
  selectTotals,
  selectTransfers,
} from './operator.sql.ts'

/** The kinds of run that a pool pays. */
const RUNS_OF_POOL: Readonly<Record<PoolName, readonly string[]>> = {
  profit: ['passive'],
  commission: ['direct', 'binary'],
}

/** Where every micro-USDT stands, and what waits for money. */
export async function readOverview(db: Db): Promise<OperatorOverview> {
  const [totals, house, awaiting, chain, address] = await Promise.all([
    selectTotals(db),
    selectHouse(db),
    selectAwaitingByKind(db),
    selectChain(db),
    depositAddressOf(db, HOUSE),
  ])
  const amounts = new Map<string, bigint>(house.map(({ account, amount }) => [account, amount]))
  const amountOf = (...accounts: string[]) =>
    formatMicro(micro(accounts.reduce((sum, account) => sum + (amounts.get(account) ?? 0n), 0n)))
  const text = (amount: bigint) => formatMicro(micro(amount))
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
    company_address: address,
  }
}

/** Everything that moved, or looked as if it moved, toward our addresses; of one verdict when it is given. */
export async function listTransfers(
  db: Db,
  verdict: ObservedTransfer['verdict'] | null,
  limit: number,
  offset: number,
): Promise<{ results: Omit<ObservedTransfer, 'explorer_url'>[]; count: number }> {
  const { rows, count } = await selectTransfers(db, verdict, limit, offset)
  const results = rows.map((row) => ({
    txid: row.txid,
    position: row.position,
    block: Number(row.block),
    date: row.block_at.toISOString(),
    verdict: row.verdict as ObservedTransfer['verdict'],
    contract: row.contract,
    from: row.from_address,
    to: row.to_address,
    value: row.value,
    member: row.username,
  }))
  return { results, count }
}

/**
 * Moves company capital into a pool, and lets runs that waited for it go on.
 *
 * @throws Refusal when the capital does not cover it.
 */
export async function fund(tx: Tx, pool: PoolName, amount: Micro, key: string, now: Date): Promise<void> {
  await lockHouse(tx)
  const available = await selectGuarded(tx, 'company:capital')
  if (amount > available) throw new Refusal('company_funds_too_small', { available })
  await fundPool(tx, pool, amount, key, now)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}
