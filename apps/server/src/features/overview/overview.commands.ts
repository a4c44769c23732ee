import type { PoolName } from '@aval/contract'
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { enqueue } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { fundPool } from '../payout-runs/advance.commands.ts'

/**
 * Moves company capital into a pool, and lets runs that waited for it go on.
 *
 * @throws Refusal when the capital does not cover it.
 */
export async function fundFromCapital(tx: Tx, pool: PoolName, amount: Micro, key: string, now: Date) {
  const available = await guardedBalance(tx, 'company:capital')
  if (amount > available) throw new Refusal('company_funds_too_small', { available })
  await fundPool(tx, pool, amount, key, now)
  await enqueue(tx, 'payout_runs.resume', {}, 'payout_runs.resume')
}
