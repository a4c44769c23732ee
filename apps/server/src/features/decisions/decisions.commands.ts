/**
 * What would let balances rise is proposed here, signed by operators on the approvals page, verified by the signer and applied by the
 * database (decision 043). Nothing of it is written by this server.
 */
import { constraintOf, type Tx } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { insertDecision, isDecision, type Proposed, withdrawDecision } from './decisions.sql.ts'

/**
 * Proposes a decision; its number.
 *
 * @throws Refusal when one about the same waits already, or too many wait.
 */
export async function propose(tx: Tx, proposed: Proposed): Promise<bigint> {
  try {
    return await insertDecision(tx, proposed)
  } catch (error) {
    const constraint = constraintOf(error)
    if (constraint === 'decision_open_once') throw new Refusal('decision_waits')
    if (constraint === 'decisions_waiting') throw new Refusal('too_many_decisions')
    throw error
  }
}

/** @throws Refusal where there is no such decision, or it is no longer open. */
export async function withdraw(tx: Tx, id: bigint | null, operatorId: bigint, now: Date): Promise<void> {
  if (id === null || !(await isDecision(tx, id))) throw new Refusal('decision_not_found')
  if (!(await withdrawDecision(tx, id, operatorId, now))) throw new Refusal('decision_ended')
}
