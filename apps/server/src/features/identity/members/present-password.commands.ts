import type { AuditAction } from '@aval/contract'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { selectMember } from './members.sql.ts'
import { isPassword } from './password-hash.ts'

/**
 * Asks for the password that a member has, for what a session alone must not do. A wrong one is in the audit trail.
 * @param action for the audit trail
 * @throws Refusal `current_password_wrong`
 */
export async function requireCurrentPassword(
  { db }: Context,
  memberId: bigint,
  { current, action }: { readonly current: string; readonly action: AuditAction },
  now: Date,
): Promise<void> {
  const { password_hash } = await selectMember(db, memberId)
  if (await isPassword(password_hash, current)) return
  const entry = { action, subject: `member:${memberId}`, outcome: 'refused' } as const
  await recordAudit(db, { at: now, actorId: memberId, ...entry })
  const code = 'current_password_wrong'
  throw new Refusal(code, {}, [{ path: 'current_password', key: code, params: {} }])
}
