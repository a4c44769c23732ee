import type { PoolName } from '@aval/contract'
import { inTransaction, type Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import type { JobContext } from '../../core/context.ts'
import { type Reader, say } from '../../core/messages.ts'
import { Refusal } from '../../core/refusal.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { appliedPayload, propose } from '../decisions/decisions.commands.ts'
import { alertOperators } from '../operator-alerts/alert.commands.ts'
import { readStop } from '../reserves/reserves.queries.ts'
import { usernameOf } from './treasury.queries.ts'
import * as store from './treasury.sql.ts'

interface Act {
  readonly operatorId: bigint
  readonly reason: string
}

export interface Funding extends Act {
  readonly pool: PoolName
  readonly amount: Micro
  /** What the pool held as the operator saw it; undefined where nobody says. */
  readonly was?: Micro | undefined
  /** Business time. */
  readonly now: Date
}

/**
 * Proposes to move company capital into a pool; answers the decision's number. Runs that waited for it go on once it is signed.
 *
 * @throws Refusal when the capital does not cover it; `pool_moved` where the pool holds another amount than was seen.
 */
export async function proposeFunding(tx: Tx, funding: Funding): Promise<bigint> {
  const { pool, amount, operatorId, reason, was, now } = funding
  const holds = await guardedBalance(tx, `pool:${pool}`)
  if (was !== undefined && holds !== was) throw new Refusal('pool_moved', { holds })
  const available = await guardedBalance(tx, 'company:capital')
  if (amount > available) throw new Refusal('company_funds_too_small', { available })
  const given = { pool, amount: String(amount), reason }
  return propose(tx, { kind: 'fund_pool', subject: `pool:${pool}`, given, operatorId, now })
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

export interface Resumption extends Act {
  readonly stopId: bigint
  /** Business time. */
  readonly now: Date
}

/**
 * Proposes to end an operator's stop; answers the decision's number. What else stops payments still does.
 *
 * @throws Refusal `payments_stop_over` where it was ended before
 */
export function proposeResumption(tx: Tx, { stopId, operatorId, reason, now }: Resumption): Promise<bigint> {
  const given = { stop: String(stopId), reason }
  return propose(tx, { kind: 'resume_payments', subject: `payments_stop:${stopId}`, given, operatorId, now })
}

/** Every operator hears of a stop that ended: from the database, where operators signed it. */
export const treasuryJobs = ({ db, systemNow }: JobContext) => ({
  'payments.resumed': async (payload: unknown) => {
    const { decision } = appliedPayload.parse(payload)
    await inTransaction(db, async (tx) => {
      const stop = await store.selectResumed(tx, decision)
      await tell(tx, `payments:resume:${stop.id}`, 'payments_resumed', stop, systemNow())
    })
  },
})
