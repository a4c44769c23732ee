import type { Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { findFreeze } from './freezing.queries.ts'
import { updateFrozen } from './freezing.sql.ts'

export interface FreezeAct {
  readonly memberId: bigint | null
  readonly operatorId: bigint
  readonly reason: string
}

/**
 * Freezes an account, or lets it go. The member reads the reason of a freeze; security log and an e-mail say so. Withdrawals stay where
 * they are: those that are not signed wait. Codes that were e-mailed before are good for nothing any more.
 *
 * @param now system time
 * @returns the member's username
 * @throws Refusal `member_frozen`, which says who was first, `member_not_frozen`, and those of `lockActedOn`
 */
export async function setFrozen(
  { config }: Pick<Context, 'config'>,
  tx: Tx,
  { frozen, ...act }: FreezeAct & { readonly frozen: boolean },
  now: Date,
): Promise<string> {
  const { operatorId, reason } = act
  const { memberId, member } = await lockActedOn(tx, act)
  const freeze = await findFreeze(tx, memberId)
  if (frozen && freeze !== null) {
    const { by, at, reason: why } = freeze
    throw new Refusal('member_frozen', { by, at, why })
  }
  const isDone = await updateFrozen(tx, { memberId, frozen, reason, operatorId }, now)
  if (!isDone) throw new Refusal('member_not_frozen')
  if (frozen) await revokeEmailCodes(tx, memberId, now)
  const kind = frozen ? 'account_frozen' : 'account_unfrozen'
  const event = { memberId, kind, at: now, device: null, details: { by: 'operator' } } as const
  await announceSecurityEvent(config, tx, event, member, ({ at }) =>
    frozen
      ? { template: 'account_frozen', params: { reason, at } }
      : { template: 'account_unfrozen', params: { at } },
  )
  return member.username
}
