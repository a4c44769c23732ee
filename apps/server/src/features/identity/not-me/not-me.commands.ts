import { type Db, inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import type { Context } from '../../../core/context.ts'
import type { Device } from '../../../core/device.ts'
import { Refusal } from '../../../core/refusal.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { findFreeze } from '../freezing/freezing.queries.ts'
import { forgetDevices } from '../known-devices/known-devices.commands.ts'
import { lockMember } from '../members/members.sql.ts'
import { undoPasskeys } from '../passkeys/passkeys.commands.ts'
import { applyGuarded } from '../profile/profile.commands.ts'
import { undoTotpSetup } from '../second-factor/totp-setup.commands.ts'
import { readNotMe } from '../security-log/not-me-link.ts'
import { alertOfEvent } from '../security-log/security-log.commands.ts'
import { formerOf } from '../security-log/security-log.rules.ts'
import { insertSecurityEvent, selectChangesFrom, selectIsUndone } from '../security-log/security-log.sql.ts'
import { endSessions } from '../sessions/sessions.sql.ts'

/**
 * What another feature stops in the same transaction when a member says "this was not me". It can be called again, and
 * gets business time and system time.
 */
export type StopForMember = (
  tx: Tx,
  memberId: bigint,
  at: { readonly now: Date; readonly systemNow: Date },
) => Promise<unknown>

const CHANGE =
  /^(?:email_changed|wallet_changed|password_changed|password_reset|two_factor_on|two_factor_off|passkey_added|passkey_removed):(\d{1,18})$/

/** The security event of a change that a link is about; null where it is about none. */
function changeOf(event: string): bigint | null {
  const id = CHANGE.exec(event)?.[1]
  return id === undefined ? null : BigInt(id)
}

/** E-mail and wallet before the change, and since when they differ, the e-mail above all. It is kept for the member as long as links last. */
async function formerBefore(db: Db, memberId: bigint, change: bigint) {
  const changes = await selectChangesFrom(db, memberId, change)
  const first = changes.find(({ kind }) => kind === 'email_changed') ?? changes[0]
  return { former: formerOf(changes), since: first?.at ?? null }
}

/**
 * A member says that another person did what an e-mail reported. All sessions end, codes are revoked, waiting withdrawals
 * are stopped, and no money leaves until the password is reset. E-mail and wallet return to what they were before, because
 * the reset would otherwise go to the thief; a second factor that was turned on since is turned off, and passkeys that
 * were added of late are removed. Following the link again does nothing. Once an e-mail was returned to, links that were written
 * between its change and its return are no longer good: some of them went to the thief. In a frozen account neither e-mail nor wallet
 * moves, back or on: the operators who froze it correct them.
 *
 * @param stops what other features stop
 * @param now system time
 * @throws Refusal `link_invalid`
 */
export async function reportNotMe(
  context: Context,
  stops: readonly StopForMember[],
  token: string,
  device: Device,
  now: Date,
): Promise<void> {
  const link = readNotMe(context.config, token, now)
  if (link === null) throw new Refusal('link_invalid')
  const { memberId, event, at: writtenAt } = link
  const at = { now: await context.clock.now(), systemNow: now }
  await inTransaction(context.db, async (tx) => {
    const member = await lockMember(tx, memberId)
    if (member.closed_at !== null || (await selectIsUndone(tx, memberId, writtenAt)))
      throw new Refusal('link_invalid')
    const details = { event }
    const said = { memberId, kind: 'not_me', at: now, device, details } as const
    const id = await insertSecurityEvent(tx, said)
    if (id === null) return
    await alertOfEvent(tx, said, id)
    await revokeEmailCodes(tx, memberId, now)
    await endSessions(tx, memberId, 'not_me', now)
    await forgetDevices(tx, memberId)
    const change = changeOf(event)
    const isFrozen = (await findFreeze(tx, memberId)) !== null
    if (change !== null) {
      const { former, since } = await formerBefore(tx, memberId, change)
      if (!isFrozen) await applyGuarded(context, tx, memberId, former, { device, now, undoes: since })
      await undoTotpSetup(tx, { memberId, device }, change, now)
    }
    await undoPasskeys(tx, { memberId, device }, writtenAt, now)
    for (const stop of stops) await stop(tx, memberId, at)
    const entry = { action: 'account.not_me', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: memberId, ...entry, details })
  })
}
