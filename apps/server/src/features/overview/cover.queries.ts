import type { PoolName } from '@aval/contract'
import type { Db } from '@aval/db'
import { addDays, type Day } from '@aval/plan'
import { query } from '../../core/query.sql.ts'
import { daysSince } from '../company-days/company-days.queries.ts'
import { coverOf, LOOKED_BACK_DAYS, RUNS_OF_POOL, rateOf } from './cover.rules.ts'

/** What held runs need in all, by kind. */
async function awaitingByKind(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const rows = await query<{ kind: string; amount: bigint }>(db)`
    SELECT kind, sum(payable)::bigint AS amount FROM payout_run WHERE state = 'held' AND state NOT IN ('done', 'cancelled') GROUP BY kind`
  return new Map(rows.map(({ kind, amount }) => [kind, amount]))
}

/** The company's few accounts. */
export async function houseAmounts(db: Db): Promise<ReadonlyMap<string, bigint>> {
  const rows = await db.selectFrom('house_balance').select(['account', 'amount']).execute()
  return new Map(rows.map(({ account, amount }) => [account, amount]))
}

/** Each pool with what it has, and how long that lasts. */
export async function poolsCovered(db: Db, today: Day) {
  const [house, awaiting, paid] = await Promise.all([
    houseAmounts(db),
    awaitingByKind(db),
    daysSince(db, addDays(today, -LOOKED_BACK_DAYS)),
  ])
  return (['profit', 'commission'] as const satisfies readonly PoolName[]).map((pool) => {
    const amount = house.get(`pool:${pool}`) ?? 0n
    const waits = RUNS_OF_POOL[pool].reduce((sum, kind) => sum + (awaiting.get(kind) ?? 0n), 0n)
    const cover = coverOf(amount, waits, rateOf(pool, paid, today))
    const days = cover.days === null ? null : Number(cover.days)
    return {
      pool,
      amount,
      due: house.get(`due:${pool}`) ?? 0n,
      awaiting: waits,
      ...cover,
      days,
      /** The first day that it does not cover, counted from tomorrow. */
      until: days === null ? null : addDays(today, days + 1),
    }
  })
}
export type CoveredPool = Awaited<ReturnType<typeof poolsCovered>>[number]
