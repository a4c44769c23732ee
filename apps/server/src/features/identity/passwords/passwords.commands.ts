/** Changing a known password, and resetting a forgotten one with an e-mail code. Times are system time. */
import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { CommittedRefusal, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor, Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { createEmailCode, revokeEmailCodes, spendEmailCode } from '../email-codes/email-codes.commands.ts'
import { lockCode } from '../email-codes/email-codes.sql.ts'
import { lockMember, selectIdentifierOwner, selectMember, updateMember } from '../members/members.sql.ts'
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
async function setPassword(
  context: Context,
  tx: Tx,
  { memberId, hash, kind, except, device }: NewPassword,
  now: Date,
): Promise<void> {
  await revokeEmailCodes(tx, memberId, now)
  await endSessions(tx, memberId, 'password', now, { except })
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

/** A request to reset a password; there may be no such member. */
export interface ResetRequest {
  readonly email: string
  readonly device: Device
}

const codeOwner = (memberId: bigint) => ({ memberId, purpose: 'reset' }) as const

/** Queues the reset e-mail. Only a job looks the address up, so the answer takes as long for an unknown one. */
export async function requestReset(context: Context, { email, device }: ResetRequest, now: Date) {
  const folded = fold(email)
  const key = createHash('sha256').update(folded).digest('hex')
  const payload = { email: folded, ...device, at: now.toISOString() }
  await inTransaction(context.db, (tx) =>
    enqueue(tx, 'identity.send_password_reset', payload, `reset:${key}`),
  )
}

/**
 * Makes the code and queues its e-mail, if there is such a member; once a request, however often the job runs.
 * @param requestedAt identifies the request
 */
export async function sendReset(
  context: Context,
  { email, device }: ResetRequest,
  requestedAt: Date,
  now: Date,
): Promise<void> {
  const memberId = await selectIdentifierOwner(context.db, 'email', fold(email))
  if (memberId === null) return
  await inTransaction(context.db, async (tx) => {
    const last = await lockCode(tx, memberId, 'reset')
    if (last !== undefined && last.madeAt >= requestedAt) return
    const { email: to, locale } = await selectMember(tx, memberId)
    const event = `reset_code:${requestedAt.toISOString()}`
    const code = await createEmailCode(context, tx, { ...codeOwner(memberId), binding: '', now })
    // The link names the mailbox it is sent to: it reveals no account that its reader does not know already.
    const link = `${context.config.publicUrl}/auth/reset-password?email=${encodeURIComponent(to)}`
    const params = { code, link, at: requestedAt, device: device.userAgent, ip: device.ip }
    await queueMail(tx, { memberId, to, locale, event, template: 'password_reset_code', params }, now)
  })
}

/**
 * Sets a new password with the code from the e-mail. All sessions end.
 *
 * The password is hashed before anything is looked up. That takes most of the time, whether or not there is such a member,
 * and whatever the code.
 * @throws Refusal `reset_refused`: no such member, or a wrong, expired or used code, indistinguishable from outside
 */
export async function resetPassword(
  context: Context,
  { email, device }: ResetRequest,
  { code, password }: { readonly code: string; readonly password: string },
  now: Date,
): Promise<void> {
  const hash = await hashPassword(password)
  try {
    await commitOnRefusal(context.db, async (tx) => {
      const memberId = await selectIdentifierOwner(tx, 'email', fold(email))
      if (memberId === null) {
        const entry = { action: 'code.reset', subject: 'member:unknown', outcome: 'refused' } as const
        await recordAudit(tx, { at: now, actorId: null, ...entry })
        throw new CommittedRefusal(tx, 'code_expired')
      }
      const spending = { ...codeOwner(memberId), code, bindings: [''], field: 'otp', now }
      await spendEmailCode(context, tx, spending)
      await setPassword(context, tx, { memberId, hash, kind: 'password_reset', except: null, device }, now)
    })
  } catch (error) {
    if (!(error instanceof CommittedRefusal)) throw error
    const refused = 'reset_refused'
    throw new Refusal(refused, {}, [{ path: 'otp', key: refused, params: {} }])
  }
}
