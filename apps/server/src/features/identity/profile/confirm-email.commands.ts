/** Proving an e-mail by a code for that alone. */
import { randomUUID } from 'node:crypto'
import { inTransaction, type Tx } from '@aval/db'
import { commitOnRefusal } from '../../../core/committed-refusal.ts'
import type { Context } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { createEmailCode, spendEmailCode } from '../email-codes/email-codes.commands.ts'
import { maskEmail } from '../email-codes/email-codes.rules.ts'
import { selectMember } from '../members/members.sql.ts'
import { requireLiveSession } from '../sessions/sessions.commands.ts'

/** Which address it is for, the code itself knows. */
const BINDING = ''

/**
 * E-mails a code that proves the present address. The mail has no "this was not me": the mailbox may be a stranger's, who must not be
 * able to end the member's sessions.
 * @returns the address, masked
 */
export async function sendConfirmation(
  context: Context,
  tx: Tx,
  { memberId, device }: Pick<Actor, 'memberId' | 'device'>,
  now: Date,
): Promise<string> {
  const { email: to, locale, username } = await selectMember(tx, memberId)
  const code = await createEmailCode(context, tx, { memberId, purpose: 'email', binding: BINDING, to, now })
  const params = { code, unprovenFor: username, at: now, device: device.userAgent, ip: device.ip }
  const mail = { memberId, to, locale, event: `email_code:${randomUUID()}` }
  await queueMail(tx, { ...mail, template: 'email_code', params }, now)
  return maskEmail(to)
}

/** `code_sent`: a code is on its way to the masked address `to`. */
type Confirmation = { readonly kind: 'proven' } | { readonly kind: 'code_sent'; readonly to: string }

/**
 * Proves a member's e-mail with the code that was sent to it; without one, it is sent. Does nothing where it is proven.
 * @param code as it was typed; null when none came
 * @param allowCode called before a code is made; refuses when there were too many
 * @param now system time
 * @throws Refusal `not_signed_in`, `too_many_requests`, and those of `spendEmailCode`
 */
export async function confirmEmail(
  context: Context,
  actor: Actor,
  code: string | null,
  allowCode: () => Promise<void>,
  now: Date,
): Promise<Confirmation> {
  const { memberId } = actor
  const { email_proven_at: provenAt } = await selectMember(context.db, memberId)
  if (provenAt !== null) return { kind: 'proven' }
  if (code === null) {
    await allowCode()
    const to = await inTransaction(context.db, async (tx) => {
      await requireLiveSession(tx, actor)
      return sendConfirmation(context, tx, actor, now)
    })
    return { kind: 'code_sent', to }
  }
  await commitOnRefusal(context.db, async (tx) => {
    await requireLiveSession(tx, actor)
    const spending = {
      memberId,
      purpose: 'email',
      code,
      bindings: [BINDING],
      field: 'secret_code',
      now,
    } as const
    await spendEmailCode(context, tx, spending)
  })
  return { kind: 'proven' }
}
