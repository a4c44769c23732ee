import type { PoolName } from '@aval/contract'
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { enqueue } from '../../core/jobs.sql.ts'
import { type Reader, say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { alertOperators } from '../operator-alerts/alert.commands.ts'
import { fundPool } from '../payout-runs/advance.commands.ts'
import { readStop } from '../reserves/reserves.queries.ts'
import { usernameOf } from './treasury.queries.ts'
import * as store from './treasury.sql.ts'

export interface Funding {
  readonly pool: PoolName
  readonly amount: Micro
  /** Unique to this call. */
  readonly key: string
  readonly operatorId: bigint
  readonly reason: string
  /** What the pool held as the operator saw it; undefined where nobody says. */
  readonly was?: Micro | undefined
}

/**
 * Moves company capital into a pool, and lets runs that waited for it go on.
 *
 * @throws Refusal when the capital does not cover it; `pool_moved` where the pool holds another amount than was seen.
 */
export async function fundFromCapital(tx: Tx, funding: Funding, now: Date) {
  const { pool, amount, key, operatorId, reason, was } = funding
  if (was !== undefined) {
    await store.lockFunding(tx, pool)
    const holds = await guardedBalance(tx, `pool:${pool}`)
    if (holds !== was) throw new Refusal('pool_moved', { holds })
  }
  const available = await guardedBalance(tx, 'company:capital')
  if (amount > available) throw new Refusal('company_funds_too_small', { available })
  await fundPool(tx, pool, amount, key, now, { operatorId, reason })
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}

interface Act {
  readonly operatorId: bigint
  readonly reason: string
}

/** Every operator hears of it, once a stop. */
async function tell(
  tx: Tx,
  event: string,
  key: 'payments_stopped' | 'payments_resumed',
  act: Act,
  now: Date,
) {
  const name = await usernameOf(tx, act.operatorId)
  const letter = ({ locale }: Reader) => ({
    subject: say(locale, `${key}_subject`),
    lines: [say(locale, `${key}_line`, { name, reason: act.reason }), say(locale, 'operator_alert_what')],
  })
  await alertOperators(tx, { event, letter }, now)
}

/**
 * Stops all payments: no run is released or posted further, no withdrawal taken, approved, prepared or signed (decision 082).
 *
 * @param now system time
 * @throws Refusal `payments_stopped_already` with who was first
 */
export async function stopPayments(tx: Tx, act: Act, now: Date): Promise<void> {
  const isNew = await store.stopPayments(tx, act.operatorId, act.reason, now)
  const { byOperator } = await readStop(tx)
  if (!isNew || byOperator === null)
    throw new Refusal('payments_stopped_already', { name: byOperator?.username ?? '' })
  await tell(tx, `payments:stop:${byOperator.id}`, 'payments_stopped', act, now)
}

/**
 * Ends an operator's stop. What else stops payments still does.
 *
 * @param now system time
 * @throws Refusal `payments_stop_over` where it was ended before, `payments_unchecked` where who made it has no comparison since
 */
export async function resumePayments(tx: Tx, stopId: bigint, act: Act, now: Date): Promise<void> {
  const outcome = await store.resumePayments(tx, stopId, act.operatorId, act.reason, now)
  if (outcome === 'none') throw new Refusal('payments_stop_over')
  if (outcome === 'unchecked') throw new Refusal('payments_unchecked')
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
  await tell(tx, `payments:resume:${stopId}`, 'payments_resumed', act, now)
}
