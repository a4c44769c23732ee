import type { Tx } from '@aval/db'
import type { Config } from '../../../config.ts'
import { type Reader, say } from '../../../core/messages.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import type { MailTemplate } from '../../mail/mail.templates.ts'
import { alertOperators } from '../../operator-alerts/alert.commands.ts'
import { selectMember } from '../members/members.sql.ts'
import { notMeUrl } from './not-me-link.ts'
import { findMoneyLock } from './security-log.queries.ts'
import { isAlerting, isCooling } from './security-log.rules.ts'
import { insertSecurityEvent, type SecurityEvent } from './security-log.sql.ts'

/** Tells all operators what happened to the account of one of them. */
export async function alertOfEvent(tx: Tx, { memberId, kind, at }: SecurityEvent, id: bigint): Promise<void> {
  if (!isAlerting(kind)) return
  const { username, is_operator: isOperator } = await selectMember(tx, memberId)
  if (!isOperator) return
  const words = { username, member: String(memberId) }
  const letter = ({ locale }: Reader) => ({
    subject: say(locale, 'operator_alert_subject', words),
    lines: [say(locale, `operator_alert_${kind}`, words), say(locale, 'operator_alert_what')],
  })
  await alertOperators(tx, { event: `operator:${kind}:${id}`, letter }, at)
}

/** Adds to an account's history; operators hear of what changes one of theirs. @returns the event's number, which names the e-mail about it */
export async function recordSecurityEvent(tx: Tx, event: SecurityEvent): Promise<bigint> {
  const id = await insertSecurityEvent(tx, event)
  if (id === null) throw new Error('only a second not_me is no event, and it has a command of its own')
  await alertOfEvent(tx, event, id)
  return id
}

/** What every mail about a security event repeats. */
interface EventParams {
  readonly at: Date
  readonly device?: string
  readonly ip?: string
  readonly notMeUrl?: string
  readonly coolsUntil?: Date
}

/**
 * Records a security event and e-mails the member about it: when, from where, until when money cools, and with a link to
 * say "this was not me".
 * @param to the recipient, at the current or former address
 * @param hasLink false for a change that was taken back: a link would let it all begin again
 */
export async function announceSecurityEvent(
  config: Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'>,
  tx: Tx,
  event: SecurityEvent,
  to: { readonly email: string; readonly locale: string },
  letter: (params: EventParams) => MailTemplate,
  hasLink = true,
): Promise<void> {
  const { memberId, kind, at, device } = event
  const name = `${kind}:${await recordSecurityEvent(tx, event)}`
  const lock = isCooling(kind) ? await findMoneyLock(tx, memberId, config, at) : null
  const content = letter({
    at,
    ...(device !== null && { device: device.userAgent, ip: device.ip }),
    ...(hasLink && { notMeUrl: notMeUrl(config, memberId, name, at) }),
    ...(lock?.because === 'cooling' && { coolsUntil: lock.until }),
  })
  await queueMail(tx, { memberId, to: to.email, locale: to.locale, event: name, ...content }, at)
}
