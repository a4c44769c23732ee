/** Changing a known password, and what every new password brings with it. Times are system time. */
import type { Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor, Device } from '../../../core/device.ts'
import { proveEmail, revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { forgetDevices } from '../known-devices/known-devices.commands.ts'
import { lockMember, selectMember, updateMember } from '../members/members.sql.ts'
import { hashPassword } from '../members/password-hash.ts'
import { requireCurrentPassword } from '../members/present-password.commands.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { announceSecurityEvent, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { isSamePassword } from './new-password.rules.ts'
import { ownerOf, passwordRefusal, requireGoodPassword } from './new-password.ts'

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
  const member = await lockMember(tx, memberId)
  await revokeEmailCodes(tx, memberId, now)
  await endSessions(tx, memberId, 'password', now, { except })
  if (kind === 'password_reset') await forgetDevices(tx, memberId)
  // Code and link of a reset are good for the present address alone.
  if (kind === 'password_reset') await proveEmail(tx, memberId, member.email, now)
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

/** A code of the app, or a recovery code, where two-factor is on. */
async function requireSecondFactor(
  context: Context,
  tx: CommitOnRefusalTx,
  { memberId, sessionId, device }: Actor,
  otp: string | null,
  now: Date,
): Promise<void> {
  const subject = `member:${memberId}`
  const decision = { memberId, sessionId, otp, attempt: null, action: 'password.change', subject } as const
  const kind = await stepUpIfEnabled(context, tx, decision, now, { recovery: true })
  if (kind === 'recovery')
    await recordSecurityEvent(tx, { memberId, kind: 'recovery_code_used', at: now, device })
}

/**
 * Changes a password whose current one is known. All other sessions end.
 * @param wanted.otp null when none came
 * @throws Refusal `current_password_wrong`, `password_same`, `not_signed_in`, `otp_required`, `otp_invalid`,
 * `too_many_requests`, and those of `requireGoodPassword`
 */
export async function changePassword(
  context: Context,
  actor: Actor,
  wanted: { readonly current: string; readonly next: string; readonly otp: string | null },
  now: Date,
): Promise<void> {
  const { memberId, sessionId, device } = actor
  const { current, next, otp } = wanted
  await requireCurrentPassword(context, memberId, { current, action: 'password.change' }, now)
  if (isSamePassword(current, next)) throw passwordRefusal('password_same')
  await requireGoodPassword(context, next, ownerOf(await selectMember(context.db, memberId)))
  const hash = await hashPassword(next)
  await commitOnRefusal(context.db, async (tx) => {
    await lockMember(tx, memberId)
    // Another change of the password meanwhile has ended this session.
    await requireLiveSession(tx, actor)
    await requireSecondFactor(context, tx, actor, otp, now)
    const password = { memberId, hash, kind: 'password_changed', except: sessionId, device } as const
    await setPassword(context, tx, password, now)
  })
}
