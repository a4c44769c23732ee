import type { Tx } from '@aval/db'
import { sql } from 'kysely'

/** One adjustment, for the journal that books it; the address's holding follows by a trigger. */
export async function recordAdjustment(
  tx: Tx,
  adjustment: { address: string; amount: bigint; reason: string; journalId: bigint; operatorId: bigint },
): Promise<void> {
  const { address, amount, reason, journalId, operatorId } = adjustment
  await sql`SELECT record_custody_adjustment(${address}, ${amount}, ${reason}, ${journalId}, ${operatorId})`.execute(
    tx,
  )
}
