import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { killCodes } from '../email-codes/email-codes.commands.ts'
import type { Self } from '../profile/profile.commands.ts'
import { lockProfile, selectProfile, updateProfile } from '../profile/profile.sql.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { moneyLock, recordSecurityEvent, requireLiveSession } from '../security-log/security-log.commands.ts'
import { languageOf } from '../security-log/security-log.rules.ts'
import { endSessions } from '../security-log/security-log.sql.ts'
import { hashPassword, isPassword } from './password-hash.ts'

interface NewPassword {
  readonly memberId: bigint
  readonly hash: string
  readonly kind: 'password_changed' | 'password_reset'
  /** The session that goes on; null for none. */
  readonly but: string | null
  readonly device: Device
}

/** Gives a member another password, with all that follows: codes die, other sessions end, both trails and an e-mail tell. */
export async function setPassword(
  context: Context,
  tx: Tx,
  { memberId, hash, kind, but, device }: NewPassword,
  now: Date,
): Promise<void> {
  await killCodes(tx, memberId, now)
  await endSessions(tx, memberId, 'password', but, now)
  const { email, locale } = await lockProfile(tx, memberId)
  await updateProfile(tx, memberId, { password_hash: hash })
  const id = await recordSecurityEvent(tx, { memberId, kind, at: now, ...device })
  const action = kind === 'password_changed' ? 'password.change' : 'password.reset'
  const subject = `member:${memberId}`
  await recordAudit(tx, { at: now, actorId: memberId, action, outcome: 'done', subject })
  const event = `${kind}:${id}`
  const lock = await moneyLock(tx, memberId, context.config, now)
  const params = {
    at: now,
    device: device.userAgent,
    ip: device.ip,
    notMeUrl: notMeUrl(context.config, memberId, event, now),
    ...(lock?.because === 'cooling' && { coolsUntil: lock.until }),
  }
  const told = { memberId, to: email, locale: languageOf(locale), event }
  await queueMail(tx, { ...told, template: 'password_changed', params }, now)
}

/**
 * Changes a password whose present one is known. All other sessions end.
 * @param now system time
 * @throws Refusal `current_password_wrong`, `not_signed_in`
 */
export async function changePassword(
  context: Context,
  self: Self,
  passwords: { readonly current: string; readonly next: string },
  now: Date,
): Promise<void> {
  const { memberId, sessionId, device } = self
  const before = await selectProfile(context.db, memberId)
  if (!(await isPassword(before.password_hash, passwords.current))) {
    const entry = { action: 'password.change', subject: `member:${memberId}`, outcome: 'refused' } as const
    await recordAudit(context.db, { at: now, actorId: memberId, ...entry })
    const code = 'current_password_wrong'
    throw new Refusal(code, {}, [{ path: 'current_password', key: code, params: {} }])
  }
  const hash = await hashPassword(passwords.next)
  await inTransaction(context.db, async (tx) => {
    // Who changed it meanwhile, elsewhere, has ended this session.
    await requireLiveSession(tx, self)
    await setPassword(context, tx, { memberId, hash, kind: 'password_changed', but: sessionId, device }, now)
  })
}
