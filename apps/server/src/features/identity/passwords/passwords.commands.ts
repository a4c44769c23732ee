/** Changing a known password, and what every new password brings with it. Times are system time. */
import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor, Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { forgetDevices } from '../known-devices/known-devices.commands.ts'
import { lockMember, selectMember, updateMember } from '../members/members.sql.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { hashPassword, isPassword } from './password-hash.ts'

interface NewPassword {
  readonly memberId: bigint
  readonly hash: string
  readonly kind: 'password_changed' | 'password_reset'
  /** The session that goes on; null for none. */
  readonly except: string | null
  readonly device: Device
}

/** Stores a new password with all that follows: codes are revoked, sessions end, both logs and an e-mail say so. */
export async function setPassword(
  context: Context,
  tx: Tx,
  { memberId, hash, kind, except, device }: NewPassword,
  now: Date,
): Promise<void> {
  await revokeEmailCodes(tx, memberId, now)
  await endSessions(tx, memberId, 'password', now, { except })
  if (kind === 'password_reset') await forgetDevices(tx, memberId)
  const member = await lockMember(tx, memberId)
  await updateMember(tx, memberId, { password_hash: hash })
  const action = kind === 'password_changed' ? 'password.change' : 'password.reset'
  const subject = `member:${memberId}`
  await recordAudit(tx, { at: now, actorId: memberId, action, outcome: 'done', subject })
  const event = { memberId, kind, at: now, device }
  await announceSecurityEvent(context.config, tx, event, member, (params) => ({
    template: 'password_changed',
    params,
  }))
}

/**
 * Asks for the password that a member has, for what a session alone must not do. A wrong one is in the audit trail.
 * @param action for the audit trail
 * @throws Refusal `current_password_wrong`
 */
export async function requireCurrentPassword(
  { db }: Context,
  memberId: bigint,
  { current, action }: { readonly current: string; readonly action: string },
  now: Date,
): Promise<void> {
  const { password_hash } = await selectMember(db, memberId)
  if (await isPassword(password_hash, current)) return
  const entry = { action, subject: `member:${memberId}`, outcome: 'refused' } as const
  await recordAudit(db, { at: now, actorId: memberId, ...entry })
  const code = 'current_password_wrong'
  throw new Refusal(code, {}, [{ path: 'current_password', key: code, params: {} }])
}

/**
 * Changes a password whose current one is known. All other sessions end.
 * @throws Refusal `current_password_wrong`, `not_signed_in`
 */
export async function changePassword(
  context: Context,
  actor: Actor,
  passwords: { readonly current: string; readonly next: string },
  now: Date,
): Promise<void> {
  const { memberId, sessionId, device } = actor
  const typed = { current: passwords.current, action: 'password.change' }
  await requireCurrentPassword(context, memberId, typed, now)
  const hash = await hashPassword(passwords.next)
  await inTransaction(context.db, async (tx) => {
    // Another change of the password meanwhile has ended this session.
    await requireLiveSession(tx, actor)
    const password = { memberId, hash, kind: 'password_changed', except: sessionId, device } as const
    await setPassword(context, tx, password, now)
  })
}
