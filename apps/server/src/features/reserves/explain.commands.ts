/** Explaining a difference: operators book it against the company's capital, never against members. */
import type { Tx } from '@aval/db'
import type { Micro } from '@aval/money'
import { Refusal } from '../../core/refusal.ts'
import { guardedBalance } from '../../ledger/ledger.queries.ts'
import { propose } from '../decisions/decisions.commands.ts'
import { selectFigures } from './figures.sql.ts'
import { compare } from './reserves.rules.ts'

export interface Explanation {
  readonly address: string
  /** The difference that the operator saw, found less expected. */
  readonly difference: Micro
  readonly reason: string
  readonly operatorId: bigint
  /** Business time. */
  readonly at: Date
}

/**
 * Proposes to book the whole difference of an address against the company's capital; answers the decision's number.
 *
 * @param now system time
 * @throws Refusal `difference_none` when the address has none, `difference_changed` when it is another than the operator
 * saw, `difference_unsettled` where it moved since it was read, `company_funds_too_small` when the capital does not cover what is missing
 */
export async function proposeExplanation(tx: Tx, explanation: Explanation, now: Date): Promise<bigint> {
  const { address, difference, reason, operatorId, at } = explanation
  const { differences } = compare(await selectFigures(tx), now)
  const found = differences.find((each) => each.address === address)
  if (found === undefined) throw new Refusal('difference_none')
  if (found.difference !== difference)
    throw new Refusal('difference_changed', { difference: found.difference })
  const available = await guardedBalance(tx, 'company:capital')
  if (available + difference < 0n) throw new Refusal('company_funds_too_small', { available })
  const given = { address, difference: String(difference), reason }
  const about = { kind: 'explain_difference', subject: `address:${address}`, given } as const
  return propose(tx, { ...about, operatorId, now: at })
}
