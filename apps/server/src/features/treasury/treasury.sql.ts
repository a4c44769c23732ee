import type { Tx } from '@aval/db'
import { query, queryValue } from '../../core/query.sql.ts'

/** Until the transaction ends, nobody else who says what the pool held funds it. */
export async function lockFunding(tx: Tx, pool: string): Promise<void> {
  await query(tx)`SELECT pg_advisory_xact_lock(hashtextextended(${`pool.fund ${pool}`}, 0))`
}

/** False where an operator has stopped them already. */
export function stopPayments(tx: Tx, operatorId: bigint, reason: string, at: Date): Promise<boolean> {
  return queryValue<boolean>(tx)`SELECT stop_payments(${operatorId}, ${reason}, ${at})`
}

export function resumePayments(tx: Tx, stopId: bigint, operatorId: bigint, reason: string, at: Date) {
  return queryValue<'resumed' | 'none' | 'unchecked'>(
    tx,
  )`SELECT resume_payments(${stopId}, ${operatorId}, ${reason}, ${at})`
}
