import type { Db, Tx } from '@aval/db'
import { inTransaction } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { cancelRequested } from '../../withdrawals/close.commands.ts'
import { killCodes } from '../email-codes/email-codes.commands.ts'
import { applyGuarded } from '../profile/guarded-changes.commands.ts'
import { selectEmailOwner } from '../profile/profile.sql.ts'
import { fold } from '../registration/registration.rules.ts'
import { undoSetUp } from '../second-factor/totp-setup.commands.ts'
import { readNotMe } from '../security-log/not-me-link.ts'
import { formerOf } from '../security-log/security-log.rules.ts'
import { endSessions, insertSecurityEvent, selectChangesFrom } from '../security-log/security-log.sql.ts'

/**
 * What other features stop when a member says that it was somebody else, in the same transaction: each is given the
 * member and what time it is, for money and for the system, and can be called again.
 */
const ALSO_STOPPED: readonly ((
  tx: Tx,
  memberId: bigint,
  at: { readonly now: Date; readonly systemNow: Date },
) => Promise<unknown>)[] = [cancelRequested]

const CHANGE =
  /^(?:email_changed|wallet_changed|password_changed|password_reset|two_factor_on|two_factor_off):(\d{1,18})$/

/** The change that a link is about; null where it is about none. */
function changeOf(event: string): bigint | null {
  const id = CHANGE.exec(event)?.[1]
  return id === undefined ? null : BigInt(id)
}

/** E-mail and wallet as they were before the change that a link is about; an e-mail that somebody else has by now stays. */
async function formerBefore(db: Db, memberId: bigint, change: bigint | null) {
  if (change === null) return { email: null, wallet: null }
  const former = formerOf(await selectChangesFrom(db, memberId, change))
  const owner = former.email === null ? null : await selectEmailOwner(db, fold(former.email))
  return owner === null || owner === memberId ? former : { ...former, email: null }
}

/**
 * A member says that somebody else did what an e-mail told of. All sessions end, live codes die, what is still to leave is
 * stopped, and no money leaves until the password is reset. E-mail and wallet return to what they were before: otherwise
 * the reset would go to whoever took the account; two-factor that was turned on since is off again. Does its work once a link, however often the link is followed.
 *
 * @param now system time
 * @throws Refusal `link_invalid`
 */
export async function sayNotMe(context: Context, token: string, device: Device, now: Date): Promise<void> {
  const link = readNotMe(context.config, token, now)
  if (link === null) throw new Refusal('link_invalid')
  const { memberId, event } = link
  const at = { now: await context.clock.now(), systemNow: now }
  await inTransaction(context.db, async (tx) => {
    const details = { event }
    if ((await insertSecurityEvent(tx, { memberId, kind: 'not_me', at: now, ...device, details })) === null)
      return
    await killCodes(tx, memberId, now)
    await endSessions(tx, memberId, 'not_me', null, now)
    const change = changeOf(event)
    const former = await formerBefore(tx, memberId, change)
    await applyGuarded(context, tx, memberId, former, { device, now, takesBack: true })
    if (change !== null) await undoSetUp(tx, { memberId, ...device }, change, now)
    for (const stop of ALSO_STOPPED) await stop(tx, memberId, at)
    const subject = `member:${memberId}`
    await recordAudit(tx, {
      at: now,
      actorId: memberId,
      action: 'account.not_me',
      outcome: 'done',
      subject,
      details,
    })
  })
}
