import type { Tx } from '@aval/db'
import { queryValue } from '../../core/query.sql.ts'

/** False where an operator has stopped them already. */
export function stopPayments(tx: Tx, operatorId: bigint, reason: string, at: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT stop_payments(${operatorId}, ${reason}, ${at})`
}

export function resumePayments(tx: Tx, stopId: bigint, operatorId: bigint, reason: string, at: Date) {
  return queryValue<'resumed' | 'none' | 'unchecked'>(
    tx,
  )`SELECT resume_payments(${stopId}, ${operatorId}, ${reason}, ${at})`
}
