/** An operator sends a member a mail once more that was sent, or was given up, to the present address. */
import { randomUUID } from 'node:crypto'
import type { Tx } from '@aval/db'
import { recordAudit } from '../../core/audit.sql.ts'
import { Refusal } from '../../core/refusal.ts'
import { mailMember } from './mail.commands.ts'
import { selectMessage } from './mail.sql.ts'
import { type MailTemplate, templates } from './mail.templates.ts'

/**
 * Sends it again, as it is today: links that open an account and codes are not kept, and a mail that is nothing without one is not sent.
 * @param now system time
 * @throws Refusal `mail_not_found`, `mail_waits` while it is still being sent, `mail_not_again`
 */
export async function resendMail(
  tx: Tx,
  wanted: { readonly memberId: bigint | null; readonly id: bigint | null; readonly operatorId: bigint },
  now: Date,
): Promise<void> {
  const { memberId, id, operatorId } = wanted
  const stored = memberId === null || id === null ? undefined : await selectMessage(tx, { memberId, id })
  if (memberId === null || stored === undefined) throw new Refusal('mail_not_found')
  if (stored.state === 'queued') throw new Refusal('mail_waits')
  const schema = Object.entries(templates).find(([name]) => name === stored.template)?.[1]
  if (schema === undefined || !schema.safeParse(stored.params).success) throw new Refusal('mail_not_again')
  const event = `again:${id}:${randomUUID()}`
  const mail = { template: stored.template, params: stored.params } as MailTemplate
  await mailMember(tx, { memberId, event, ...mail }, now)
  const entry = { action: 'mail.resend', outcome: 'done', subject: `member:${memberId}` } as const
  const details = { mail: String(id), template: stored.template }
  await recordAudit(tx, { at: now, actorId: operatorId, ...entry, details })
}
