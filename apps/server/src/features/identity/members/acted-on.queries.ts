/** Whom an operator does something to. */
import type { Tx } from '@aval/db'
import { Refusal } from '../../../core/refusal.ts'
import { isAbove, lockIfMember } from './members.sql.ts'

/**
 * Nobody acts on the account of an operator above them. The database refuses it as well, where a function acts.
 * @throws Refusal `member_is_above`
 */
export async function requireNotAbove(tx: Tx, memberId: bigint, operatorId: bigint): Promise<void> {
  if (await isAbove(tx, memberId, operatorId)) throw new Refusal('member_is_above')
}

/**
 * The member, locked, so that of two operators the second sees what the first did.
 * @throws Refusal `own_account`, `member_not_found`, `member_closed`, `member_is_above`
 */
export async function lockActedOn(
  tx: Tx,
  { memberId, operatorId }: { readonly memberId: bigint | null; readonly operatorId: bigint },
) {
  if (memberId === operatorId) throw new Refusal('own_account')
  const member = memberId === null ? undefined : await lockIfMember(tx, memberId)
  if (memberId === null || member === undefined) throw new Refusal('member_not_found')
  if (member.closed_at !== null) throw new Refusal('member_closed')
  await requireNotAbove(tx, memberId, operatorId)
  return { memberId, member }
}
