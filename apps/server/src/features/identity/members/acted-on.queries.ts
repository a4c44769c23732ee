/** Whom an operator does something to. */
import type { Tx } from '@aval/db'
import { Refusal } from '../../../core/refusal.ts'
import { lockIfMember } from './members.sql.ts'

/**
 * The member, locked, so that of two operators the second sees what the first did.
 * @throws Refusal `own_account`, `member_not_found`, `member_closed`
 */
export async function lockActedOn(
  tx: Tx,
  { memberId, operatorId }: { readonly memberId: bigint | null; readonly operatorId: bigint },
) {
  if (memberId === operatorId) throw new Refusal('own_account')
  const member = memberId === null ? undefined : await lockIfMember(tx, memberId)
  if (memberId === null || member === undefined) throw new Refusal('member_not_found')
  if (member.closed_at !== null) throw new Refusal('member_closed')
  return { memberId, member }
}
