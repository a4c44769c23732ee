/** A forgotten password: a code to the e-mail, and the same answer to strangers as to members. */
import { createHash } from 'node:crypto'
import { inTransaction } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { enqueue } from '../../../core/jobs.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { StandingRefusal, standingTransaction } from '../../../core/standing.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { makeCode, spendCode } from '../email-codes/email-codes.commands.ts'
import { lockCode } from '../email-codes/email-codes.sql.ts'
import { selectEmailOwner, selectProfile } from '../profile/profile.sql.ts'
import { fold } from '../registration/registration.rules.ts'
import { languageOf } from '../security-log/security-log.rules.ts'
import { hashPassword } from './password-hash.ts'
import { setPassword } from './passwords.commands.ts'

/** Who asks for a reset: nobody knows whether there is such a member. */
export interface ResetRequest {
  readonly email: string
  readonly device: Device
}

/**
 * Asks for a code. Only a job finds out whether the address is known, so that the answer takes as long either way.
 * @param now system time
 */
export async function askForReset(
  context: Context,
  { email, device }: ResetRequest,
  now: Date,
): Promise<void> {
  const folded = fold(email)
  const key = createHash('sha256').update(folded).digest('hex')
  const payload = { email: folded, ...device, at: now.toISOString() }
  await inTransaction(context.db, (tx) =>
    enqueue(tx, 'identity.send_password_reset', payload, `reset:${key}`),
  )
}

/**
 * Makes the code and queues its e-mail, where there is such a member; once a request, however often the job runs.
 * @param askedAt names the request
 */
export async function sendReset(
  context: Context,
  { email, device }: ResetRequest,
  askedAt: Date,
  now: Date,
): Promise<void> {
  const memberId = await selectEmailOwner(context.db, fold(email))
  if (memberId === null) return
  await inTransaction(context.db, async (tx) => {
    const last = await lockCode(tx, memberId, 'reset')
    if (last !== undefined && last.madeAt >= askedAt) return
    const member = await selectProfile(tx, memberId)
    const event = `reset_code:${askedAt.toISOString()}`
    const owner = { memberId, purpose: 'reset', session: null, device: '' } as const
    const code = await makeCode(context, tx, { ...owner, binding: '', now })
    // The address is the mailbox's own; whether an account stands behind it is known to whoever reads this already.
    const link = `${context.config.publicUrl}/auth/reset-password?email=${encodeURIComponent(member.email)}`
    const params = { code, link, at: askedAt, device: device.userAgent, ip: device.ip }
    const told = { memberId, to: member.email, locale: languageOf(member.locale), event }
    await queueMail(tx, { ...told, template: 'password_reset_code', params }, now)
  })
}

/**
 * Sets a new password with the code from the e-mail. All sessions end.
 *
 * The password is hashed before anything is looked up: that is most of the time it takes, whether or not there is such a
 * member, whatever the code.
 * @param now system time
 * @throws Refusal `reset_refused`: no such member, or a wrong, expired or used code, all the same to a stranger
 */
export async function resetPassword(
  context: Context,
  { email, device }: ResetRequest,
  { code, password }: { readonly code: string; readonly password: string },
  now: Date,
): Promise<void> {
  const hash = await hashPassword(password)
  try {
    await standingTransaction(context.db, async (tx) => {
      const memberId = await selectEmailOwner(tx, fold(email))
      if (memberId === null) {
        const entry = { action: 'code.reset', subject: 'member:unknown', outcome: 'refused' } as const
        await recordAudit(tx, { at: now, actorId: null, ...entry })
        throw new StandingRefusal(tx, 'code_expired')
      }
      const owner = { memberId, purpose: 'reset', session: null, device: '' } as const
      await spendCode(context, tx, { ...owner, code, bindings: [''], field: 'otp', now })
      await setPassword(context, tx, { memberId, hash, kind: 'password_reset', but: null, device }, now)
    })
  } catch (error) {
    if (!(error instanceof StandingRefusal)) throw error
    const refused = 'reset_refused'
    throw new Refusal(refused, {}, [{ path: 'otp', key: refused, params: {} }])
  }
}
