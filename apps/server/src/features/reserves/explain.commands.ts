/** Explaining a difference: an operator books it against the company's capital, never against members. */
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { enqueueOnce } from '../../core/jobs.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { selectFigures } from './figures.sql.ts'
import { compare } from './reserves.rules.ts'
import { bookDifference, lockReserves } from './reserves.sql.ts'

export interface Explanation {
  readonly address: string
  /** The difference that the operator saw, found less expected. */
  readonly difference: Micro
  readonly reason: string
  readonly operatorId: bigint
  /** Unique to this call. */
  readonly key: string
  /** Business time. */
  readonly at: Date
}

/**
 * Books the whole difference of an address against the company's capital, and asks for the next comparison.
 *
 * @param now system time
 * @throws Refusal `difference_none` when the address has none, `difference_changed` when it is another than the operator
 * saw, `company_funds_too_small` when the capital does not cover what is missing
 */
export async function explainDifference(tx: Tx, explanation: Explanation, now: Date): Promise<void> {
  const { address, difference, reason, operatorId, at } = explanation
  await lockReserves(tx)
  const { differences } = compare(await selectFigures(tx), now)
  const found = differences.find((each) => each.address === address)
  if (found === undefined) throw new Refusal('difference_none')
  if (found.difference !== difference)
    throw new Refusal('difference_changed', { difference: found.difference })
  const available = await guardedBalance(tx, 'company:capital')
  if (available + difference < 0n) throw new Refusal('company_funds_too_small', { available })
  await bookDifference(tx, { address, difference, reason, operatorId, key: explanation.key, at })
  await enqueueOnce(tx, 'reserves.check', {}, 'reserves.check', now)
}
