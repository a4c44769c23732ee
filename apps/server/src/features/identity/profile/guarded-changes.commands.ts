/** Changes of e-mail and wallet: what follows from one, whoever makes it. */
import type { Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { type MailRequest, queueMail } from '../../mail/mail.commands.ts'
import { killCodes } from '../email-codes/email-codes.commands.ts'
import { fold } from '../registration/registration.rules.ts'
import { claimIdentifiers } from '../registration/registration.sql.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { moneyLock, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { languageOf } from '../security-log/security-log.rules.ts'
import type { GuardedChange } from './profile.rules.ts'
import { lockProfile, releaseEmail, updateProfile } from './profile.sql.ts'

/** From where a change comes, when, and whether it takes an earlier one back. */
export interface Circumstances {
  readonly device: Device
  readonly now: Date
  readonly takesBack: boolean
}

interface Changed {
  readonly kind: 'wallet_changed' | 'email_changed'
  readonly previous: string
  readonly next: string
}

/** A refusal that is about one field of the request. */
export const atField = (code: 'email_taken' | 'wallet_invalid' | 'wallet_ours', path: string) =>
  new Refusal(code, {}, [{ path, key: code, params: {} }])

async function writeDown(
  tx: Tx,
  memberId: bigint,
  { kind, previous, next }: Changed,
  { device, now, takesBack }: Circumstances,
): Promise<bigint> {
  const name = kind === 'wallet_changed' ? 'wallet' : 'email'
  const details = { previous, [name]: next, ...(takesBack && { takes_back: true }) }
  await recordAudit(tx, {
    at: now,
    actorId: memberId,
    action: `profile.${name}`,
    outcome: 'done',
    subject: `member:${memberId}`,
    details,
  })
  return recordSecurityEvent(tx, { memberId, kind, at: now, ...device, details })
}

/** Writes a change down, and tells the member at the address that the account had before. */
async function announce(
  context: Context,
  tx: Tx,
  told: Pick<MailRequest, 'memberId' | 'to' | 'locale'>,
  changed: Changed,
  circumstances: Circumstances,
): Promise<void> {
  const { config } = context
  const { memberId } = told
  const { device, now, takesBack } = circumstances
  const event = `${changed.kind}:${await writeDown(tx, memberId, changed, circumstances)}`
  const lock = await moneyLock(tx, memberId, config, now)
  const traces = {
    previous: changed.previous,
    at: now,
    device: device.userAgent,
    ip: device.ip,
    // What was taken back stays so: no link that begins it all again.
    ...(takesBack ? {} : { notMeUrl: notMeUrl(config, memberId, event, now) }),
    ...(lock?.because === 'cooling' && { coolsUntil: lock.until }),
  }
  if (changed.kind === 'wallet_changed') {
    const params = { wallet: changed.next, ...traces }
    await queueMail(tx, { ...told, event, template: 'wallet_changed', params }, now)
  } else {
    const params = { email: changed.next, ...traces }
    await queueMail(tx, { ...told, event, template: 'email_changed', params }, now)
  }
}

/** The identifier follows the e-mail. Another case of the same address is the same identifier. */
async function moveEmail(tx: Tx, memberId: bigint, previous: string, next: string): Promise<void> {
  if (fold(previous) === fold(next)) return
  const claimed = await claimIdentifiers(tx, memberId, [['email', fold(next)]])
  if (claimed.length === 0) throw atField('email_taken', 'email')
  await releaseEmail(tx, memberId, fold(previous))
}

/**
 * Gives a member another e-mail or wallet, with all that follows: codes under way die, because they went to the former
 * address or are for the former wallet; it stands in both trails; the former address is told.
 * @throws Refusal `email_taken`
 */
export async function applyGuarded(
  context: Context,
  tx: Tx,
  memberId: bigint,
  { email, wallet }: GuardedChange,
  circumstances: Circumstances,
): Promise<void> {
  await killCodes(tx, memberId, circumstances.now)
  const current = await lockProfile(tx, memberId)
  const told = { memberId, to: current.email, locale: languageOf(current.locale) }
  if (wallet !== null && wallet !== current.usdt_wallet) {
    const changed = { kind: 'wallet_changed', previous: current.usdt_wallet, next: wallet } as const
    await updateProfile(tx, memberId, { usdt_wallet: wallet })
    await announce(context, tx, told, changed, circumstances)
  }
  if (email !== null && email !== current.email) {
    const changed = { kind: 'email_changed', previous: current.email, next: email } as const
    await moveEmail(tx, memberId, current.email, email)
    await updateProfile(tx, memberId, { email })
    await announce(context, tx, told, changed, circumstances)
  }
}
