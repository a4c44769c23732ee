import type { Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { selectProfile } from '../profile/profile.sql.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { languageOf } from '../security-log/security-log.rules.ts'
import { selectUserAgents } from '../sessions/sessions.sql.ts'
import { isNewDevice } from './sign-in.rules.ts'

/** More devices than anybody has. */
const MOST_DEVICES = 200

/**
 * Writes a sign-in from another device than before down, and tells the member by mail. Before its session is stored: that
 * is one of the devices that are known afterwards.
 *
 * @param now system time
 */
export async function noteSignIn(
  context: Context,
  tx: Tx,
  { memberId, device }: { readonly memberId: bigint; readonly device: Device },
  now: Date,
): Promise<void> {
  const known = await selectUserAgents(tx, memberId, MOST_DEVICES)
  if (!isNewDevice(device.userAgent, known)) return
  const id = await recordSecurityEvent(tx, { memberId, kind: 'signed_in_new', at: now, ...device })
  const event = `signed_in_new:${id}`
  const { email: to, locale } = await selectProfile(tx, memberId)
  const params = {
    at: now,
    device: device.userAgent,
    ip: device.ip,
    notMeUrl: notMeUrl(context.config, memberId, event, now),
  }
  const told = { memberId, to, locale: languageOf(locale), event }
  await queueMail(tx, { ...told, template: 'signed_in_new', params }, now)
}
