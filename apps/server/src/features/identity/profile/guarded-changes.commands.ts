/** Changes of e-mail and wallet with all their consequences, made by the member or taken back by "this was not me". */
import type { Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { claimIdentifiers, lockMember, releaseEmail, updateMember } from '../members/members.sql.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { refusalAt } from './profile.queries.ts'
import type { GuardedChange } from './profile.rules.ts'

/** Where a change comes from, when, and whether it takes an earlier one back. */
export interface Circumstances {
  readonly device: Device
  readonly now: Date
  readonly takesBack: boolean
}

interface FieldChange {
  readonly field: 'wallet' | 'email'
  readonly previous: string
  readonly next: string
}

/** Records one change in both logs, and tells the member at the address that the account had before. */
async function announce(
  context: Context,
  tx: Tx,
  member: { readonly memberId: bigint; readonly to: string; readonly locale: string },
  { field, previous, next }: FieldChange,
  { device, now, takesBack }: Circumstances,
): Promise<void> {
  const { memberId, to, locale } = member
  const details = { previous, [field]: next, ...(takesBack && { takes_back: true }) }
  const entry = { action: `profile.${field}`, outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId: memberId, ...entry, details })
  const event = { memberId, kind: `${field}_changed`, at: now, device, details } as const
  await announceSecurityEvent(context.config, tx, event, {
    to,
    locale,
    hasLink: !takesBack,
    content: (params) =>
      field === 'wallet'
        ? { template: 'wallet_changed', params: { wallet: next, previous, ...params } }
        : { template: 'email_changed', params: { email: next, previous, ...params } },
  })
}

/** The identifier follows the e-mail. Another case of the same address is the same identifier. */
async function moveEmail(tx: Tx, memberId: bigint, previous: string, next: string): Promise<void> {
  if (fold(previous) === fold(next)) return
  const claimed = await claimIdentifiers(tx, memberId, [['email', fold(next)]])
  if (claimed.length === 0) throw refusalAt('email', 'email_taken')
  await releaseEmail(tx, memberId, fold(previous))
}

/**
 * Changes a member's e-mail or wallet. Live codes are revoked, because they went to the former address or name the former
 * wallet; both logs record it; an e-mail to the former address says so.
 * @throws Refusal `email_taken`
 */
export async function applyGuarded(
  context: Context,
  tx: Tx,
  memberId: bigint,
  { email, wallet }: GuardedChange,
  circumstances: Circumstances,
): Promise<void> {
  await revokeEmailCodes(tx, memberId, circumstances.now)
  const current = await lockMember(tx, memberId)
  const member = { memberId, to: current.email, locale: current.locale }
  if (wallet !== null && wallet !== current.usdt_wallet) {
    await updateMember(tx, memberId, { usdt_wallet: wallet })
    const change = { field: 'wallet', previous: current.usdt_wallet, next: wallet } as const
    await announce(context, tx, member, change, circumstances)
  }
  if (email !== null && email !== current.email) {
    await moveEmail(tx, memberId, current.email, email)
    await updateMember(tx, memberId, { email })
    const change = { field: 'email', previous: current.email, next: email } as const
    await announce(context, tx, member, change, circumstances)
  }
}
