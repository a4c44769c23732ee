import type { Db } from '@aval/db'
import { Refusal } from '../../core/refusal.ts'
import { type ShownRow, selectHead, selectWithdrawal, selectWithdrawals } from './listing.sql.ts'

export { courseOf, type ShownRow } from './listing.sql.ts'

/** What a withdrawal is shown against. */
export interface View {
  /** The newest block that the gateway has seen. */
  readonly head: bigint
  /** Business time, and how many milliseconds it is ahead of the system's. */
  readonly now: Date
  readonly ahead: number
}

/** @param now business time */
export async function viewAt(db: Db, now: Date): Promise<View> {
  return { head: await selectHead(db), now, ahead: now.getTime() - Date.now() }
}

/** A member's withdrawals, newest first. */
export function listWithdrawals(
  db: Db,
  memberId: bigint,
  limit: number,
  offset: number,
): Promise<{ rows: ShownRow[]; count: number }> {
  return selectWithdrawals(db, memberId, limit, offset)
}

/** One of a member's withdrawals. @throws Refusal `withdrawal_not_found`, also for somebody else's */
export async function readWithdrawal(db: Db, memberId: bigint, id: bigint | null): Promise<ShownRow> {
  const row = id === null ? undefined : await selectWithdrawal(db, memberId, id)
  if (row === undefined) throw new Refusal('withdrawal_not_found')
  return row
}
