/** Changing a known password, and resetting a forgotten one with an e-mail code. Times are system time. */
import { createHash } from 'node:crypto'
import { inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { type CommitOnRefusalTx, CommittedRefusal, commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor, Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { createEmailCode, revokeEmailCodes, spendEmailCode } from '../email-codes/email-codes.commands.ts'
import { lockCode } from '../email-codes/email-codes.sql.ts'
import { lockMember, selectIdentifierOwner, selectMember, updateMember } from '../members/members.sql.ts'
import { hashPassword, isPassword } from '../members/password-hash.ts'
import { requireCurrentPassword } from '../members/present-password.commands.ts'
import { stepUpIfEnabled } from '../second-factor/second-factor.commands.ts'
import { announceSecurityEvent, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { isSamePassword } from './new-password.rules.ts'
import { ownerOf, passwordRefusal, requireGoodPassword, requireUnlikeOwner } from './new-password.ts'

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

/** A code of the app, or a recovery code, where two-factor is on. The member's row is held from here on. */
async function requireSecondFactor(
  context: Context,
  tx: CommitOnRefusalTx,
  { memberId, sessionId, device }: Actor,
  otp: string | null,
  now: Date,
): Promise<void> {
  await lockMember(tx, memberId)
  const subject = `member:${memberId}`
  const decision = { memberId, sessionId, otp, attempt: null, action: 'password.change', subject }
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
  await requireGoodPassword(next, ownerOf(await selectMember(context.db, memberId)))
  const hash = await hashPassword(next)
  await commitOnRefusal(context.db, async (tx) => {
    // Another change of the password meanwhile has ended this session.
    await requireLiveSession(tx, actor)
    await requireSecondFactor(context, tx, actor, otp, now)
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

/** The password of an address's member; null where there is none. */
async function hashOfOwner(context: Context, email: string): Promise<string | null> {
  const memberId = await selectIdentifierOwner(context.db, 'email', fold(email))
  return memberId === null ? null : (await selectMember(context.db, memberId)).password_hash
}

/**
 * Sets a new password with the code from the e-mail. All sessions end.
 *
 * The password is hashed, and compared with the present one, before the code is looked at. That takes most of the time,
 * whether or not there is such a member, and whatever the code. What is refused because of whose account it is, is said to
 * those alone who have the right code, which is then not used up.
 * @throws Refusal `reset_refused`: no such member, or a wrong, expired or used code, indistinguishable from outside;
 * `password_same` and those of `requireGoodPassword`
 */
export async function resetPassword(
  context: Context,
  { email, device }: ResetRequest,
  { code, password }: { readonly code: string; readonly password: string },
  now: Date,
): Promise<void> {
  await requireGoodPassword(password, null)
  const hash = await hashPassword(password)
  const isSame = await isPassword(await hashOfOwner(context, email), password)
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
      if (isSame) throw passwordRefusal('password_same')
      requireUnlikeOwner(password, ownerOf(await selectMember(tx, memberId)))
      await setPassword(context, tx, { memberId, hash, kind: 'password_reset', except: null, device }, now)
    })
  } catch (error) {
    if (!(error instanceof CommittedRefusal)) throw error
    const refused = 'reset_refused'
    throw new Refusal(refused, {}, [{ path: 'otp', key: refused, params: {} }])
  }
}
