/**
 * What would let balances rise is proposed here, signed by operators on the approvals page, verified by the signer and applied by the
 * database (decision 043). Nothing of it is written by this server.
 */
import type { RefusalCode } from '@aval/contract'
import { constraintOf, type Tx } from '@aval/db'
import { z } from 'zod'
import { Refusal } from '../../core/refusal.ts'
import {
  insertDecision,
  isDecision,
  type Proposed,
  selectWaiting,
  withdrawDecision,
} from './decisions.sql.ts'

/** Of a job about a decision that was applied. */
export const appliedPayload = z.object({
  decision: z
    .string()
    .regex(/^\d{1,18}$/)
    .transform(BigInt),
})

/** What the database says against a proposal: also what changed since it was looked at. */
const REFUSALS: ReadonlyMap<string | null, RefusalCode> = new Map([
  ['decision_open_once', 'decision_waits'],
  ['decisions_waiting', 'too_many_decisions'],
  ['decision_run_not_held', 'run_not_held'],
  ['decision_run_not_audited', 'run_not_audited'],
  ['decision_run_not_short', 'run_not_short'],
  ['decision_pool_empty', 'pool_empty'],
  ['decision_difference_none', 'difference_none'],
  ['decision_difference_changed', 'difference_unsettled'],
  ['decision_investment_reversed', 'investment_reversed'],
  ['decision_investment_unsettled', 'investment_unsettled'],
  ['decision_investment_withdrawn', 'investment_withdrawn'],
  ['decision_member_closed', 'member_closed'],
  ['decision_payments_stop_over', 'payments_stop_over'],
])

/**
 * Proposes a decision; its number.
 *
 * @throws Refusal when one about the same waits already, too many wait, or a run is held so no more.
 */
export async function propose(tx: Tx, proposed: Proposed): Promise<bigint> {
  const waiting = await selectWaiting(tx, proposed)
  if (waiting !== undefined)
    throw new Refusal('decision_waits_by', { name: waiting.username ?? '', at: waiting.proposed_at })
  try {
    return await insertDecision(tx, proposed)
  } catch (error) {
    const code = REFUSALS.get(constraintOf(error))
    throw code === undefined ? error : new Refusal(code)
  }
}

/** @throws Refusal where there is no such decision, or it is no longer open. */
export async function withdraw(tx: Tx, id: bigint | null, operatorId: bigint, now: Date): Promise<void> {
  if (id === null || !(await isDecision(tx, id))) throw new Refusal('decision_not_found')
  if (!(await withdrawDecision(tx, id, operatorId, now))) throw new Refusal('decision_ended')
}
