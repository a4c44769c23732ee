import type { Tx } from '@aval/db'
import { query } from '../../../core/query.sql.ts'

/** Takes what a member owes out of the balance, as far as it goes: commission first, then profit. */
export async function recoverReceivable(tx: Tx, memberId: bigint, at: Date): Promise<void> {
  await query(tx)`SELECT recover_receivable(${memberId}, ${at})`
}
