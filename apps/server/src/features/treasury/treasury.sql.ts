import type { Tx } from '@aval/db'
import { queryOne, queryValue } from '../../core/query.sql.ts'

/** False where an operator has stopped them already. */
export function stopPayments(tx: Tx, operatorId: bigint, reason: string, at: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT stop_payments(${operatorId}, ${reason}, ${at})`
}

/** The stop that a decision ended, who signed that last, and why. */
export function selectResumed(tx: Tx, decision: bigint) {
  return queryOne<{ id: bigint; operatorId: bigint; reason: string }>(tx)`
    SELECT s.id, s.resumed_by AS "operatorId", s.resume_reason AS reason
    FROM decision d JOIN payments_stop s ON s.id = (d.statement->>'stop')::bigint WHERE d.id = ${decision}`
}
