import type { ObservedTransfer, OperatorOverview, PayoutRun, PoolName } from '@aval/contract'
import type { Db, Tx } from '@aval/db'
import { formatMicro, type Micro, micro } from '@aval/money'
import { enqueue } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { HOUSE, lockHouse, selectGuarded } from '../../ledger/ledger.commands.ts'
import { fundPool } from '../payouts/payouts.commands.ts'
import { depositAddressOf } from '../plans/plans.commands.ts'
import {
  selectAwaitingByKind,
  selectChain,
  selectHouse,
  selectRuns,
  selectTotals,
  selectTransfers,
} from './operator.sql.ts'

const RUN_OF_POOL = { profit: 'passive', commission: 'direct' } as const satisfies Record<PoolName, string>

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
    custody: text(totals.custody),
    principal: text(totals.principal),
    balances: text(totals.balances),
    held: text(totals.held),
    company_revenue: text(totals.revenue),
    company_capital: amountOf('company:capital'),
    pools: (['profit', 'commission'] as const).map((pool) => ({
      pool,
      // What a run took out and has not posted yet still belongs to its pool.
      amount: amountOf(`pool:${pool}`, `due:${pool}`),
      awaiting: text(awaiting.get(RUN_OF_POOL[pool]) ?? 0n),
    })),
    members: totals.members,
    chain,
    company_address: address,
  }
}

export async function listRuns(
  db: Db,
  limit: number,
  offset: number,
): Promise<{ results: PayoutRun[]; count: number }> {
  const { rows, count } = await selectRuns(db, limit, offset)
  const results = rows.map((row) => ({
    id: Number(row.id),
    kind: row.kind as PayoutRun['kind'],
    period: row.period,
    investor: row.investor,
    state: row.state,
    items: row.item_count,
    posted: row.posted_count,
    total: formatMicro(micro(row.item_sum)),
    missing: formatMicro(micro(row.missing)),
    plan_version: row.plan_version,
    input_hash: row.input_hash ?? '',
    created_at: row.at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }))
  return { results, count }
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
  await enqueue(tx, 'payouts.resume', {}, 'payouts.resume')
}
