/** An operator says what was found out about a transfer that needs a person: it leaves the list of what waits. */
import type { Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { findReview } from './deposits.queries.ts'
import { insertReview } from './deposits.sql.ts'

export interface Review {
  readonly txid: string
  readonly position: number
  readonly operatorId: bigint
  readonly note: string
}

/**
 * @param now system time
 * @throws Refusal `transfer_not_found`, `transfer_reviewed` with who was first
 */
export async function reviewTransfer(tx: Tx, review: Review, now: Date): Promise<void> {
  const { txid, position, operatorId, note } = review
  const found = await findReview(tx, txid, position)
  if (found === undefined) throw new Refusal('transfer_not_found')
  if (found.by !== null) throw new Refusal('transfer_reviewed', { name: found.by })
  if (!(await insertReview(tx, found.member_id, review, now))) {
    const first = await findReview(tx, txid, position)
    throw new Refusal('transfer_reviewed', { name: first?.by ?? '' })
  }
  await recordAudit(tx, {
    at: now,
    actorId: operatorId,
    action: 'deposit.review',
    outcome: 'done',
    subject: `transfer:${txid}:${position}`,
    details: { note },
  })
}
