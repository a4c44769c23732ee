/** Explaining a difference: an operator books it against the company's capital, never against members. */
import type { Tx } from '@aval/db'
import { type Micro, micro } from '@aval/money'
import { Refusal } from '../../core/refusal.ts'
import { HOUSE, lockHouse, type Movement, post } from '../../ledger/ledger.commands.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { compareWithin } from './check.commands.ts'
import { selectFigures } from './figures.sql.ts'
import { type Comparison, compare, type Found } from './reserves.rules.ts'
import { lockReserves, recordAdjustment } from './reserves.sql.ts'

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

function movementOf({ role, difference }: Found): Movement {
  const account = role === 'deposit' ? 'deposits' : role
  return difference < 0n
    ? { kind: `custody_loss_${account}`, amount: micro(-difference) }
    : { kind: `custody_gain_${account}`, amount: difference }
}

/**
 * Books the whole difference of an address against the company's capital, and compares again.
 *
 * @param now system time
 * @throws Refusal `difference_none` when the address has none, `difference_changed` when it is another than the operator
 * saw, `company_funds_too_small` when the capital does not cover what is missing
 */
export async function explainDifference(tx: Tx, explanation: Explanation, now: Date): Promise<Comparison> {
  const { address, difference, reason, operatorId, at } = explanation
  await lockReserves(tx)
  const { differences } = compare(await selectFigures(tx), now)
  const found = differences.find((each) => each.address === address)
  if (found === undefined) throw new Refusal('difference_none')
  if (found.difference !== difference)
    throw new Refusal('difference_changed', { difference: found.difference })
  await lockHouse(tx)
  const available = await guardedBalance(tx, 'company:capital')
  if (available + difference < 0n) throw new Refusal('company_funds_too_small', { available })
  const journal = await post(tx, {
    key: `adjustment:${explanation.key}`,
    kind: 'adjustment',
    memberId: HOUSE,
    at,
    movements: [movementOf(found)],
  })
  await recordAdjustment(tx, { address, amount: difference, reason, journalId: journal.id, operatorId })
  return compareWithin(tx, now)
}
