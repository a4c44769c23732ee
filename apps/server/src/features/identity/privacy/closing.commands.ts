/** Closing an account: at once, when nothing is owed either way. Times are system time but where it says business. */
import { constraintOf, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { inBatches } from '../../../core/batches.ts'
import type { Context, JobContext } from '../../../core/context.ts'
import type { Actor } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { forgetDevices } from '../known-devices/known-devices.commands.ts'
import { skeletonOf } from '../names/skeleton.rules.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { closingRefused, leftIn, refuseLeft } from './closing.queries.ts'
import { closeMember, deleteProofs, purgeClosed } from './closing.sql.ts'
import { afterProof, type Proof } from './proof.commands.ts'

/** So many years later, on the same day. */
function yearsLater(date: Date, years: number): Date {
  const later = new Date(date)
  later.setUTCFullYear(later.getUTCFullYear() + years)
  return later
}

/** Everything that opens the account, or confirms something in it, ends. */
async function endAccess(tx: Tx, memberId: bigint, now: Date): Promise<void> {
  await revokeEmailCodes(tx, memberId, now)
  await endSessions(tx, memberId, 'ended', now)
  await forgetDevices(tx, memberId)
  await deleteProofs(tx, memberId)
}

/** What the database refuses: something came in since it was looked at. */
async function closeOrRefuse(
  tx: Tx,
  closed: Parameters<typeof closeMember>[1],
  businessNow: Date,
): Promise<void> {
  refuseLeft(await leftIn(tx, closed.memberId, businessNow))
  try {
    await closeMember(tx, closed)
  } catch (error) {
    throw constraintOf(error) === 'account_closes_empty' ? new Refusal('unavailable') : error
  }
}

/**
 * Closes the member's own account, for good. The person's data leave every row that others see; what the law makes the company keep
 * goes into a table that no call reads, for so many years. A mail says so.
 *
 * @param wanted.username typed once more, in any case
 * @throws Refusal `account_of_operator`, `account_of_company`, `account_name_wrong`, `account_not_empty`, and those of `afterProof`
 */
export async function closeAccount(
  context: Context,
  actor: Actor & { readonly isOperator: boolean; readonly username: string },
  wanted: Proof & { readonly username: string },
  now: Date,
): Promise<void> {
  const { memberId, device } = actor
  const { retentionYears, mailFrom } = context.config
  const refused = await closingRefused(context.db, actor)
  if (refused !== null) throw new Refusal(refused)
  if (fold(wanted.username) !== fold(actor.username))
    throw new Refusal('account_name_wrong', {}, [{ path: 'username', key: 'account_name_wrong', params: {} }])
  const businessNow = await context.clock.now()
  refuseLeft(await leftIn(context.db, memberId, businessNow))
  await afterProof(context, actor, { ...wanted, action: 'account.close' }, now, async (tx, member) => {
    const { email, locale, username } = member
    const keepUntil = yearsLater(now, retentionYears)
    const name = { username: fold(username), skeleton: skeletonOf(username) }
    const closed = { memberId, ...name, email: fold(email), at: now, keepUntil }
    await closeOrRefuse(tx, closed, businessNow)
    await endAccess(tx, memberId, now)
    const event = await recordSecurityEvent(tx, { memberId, kind: 'account_closed', at: now, device })
    const entry = { action: 'account.close', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: memberId, ...entry })
    const params = {
      username,
      years: retentionYears,
      keptUntil: keepUntil,
      contact: mailFrom.address,
      at: now,
      device: device.userAgent,
      ip: device.ip,
    }
    const mail = { memberId, to: email, locale, event: `account_closed:${event}` }
    await queueMail(tx, { ...mail, template: 'account_closed', params }, now)
  })
}

export const privacyJobs = ({ db, systemNow }: JobContext) => ({
  'closed_accounts.purge': async () => {
    await inBatches((most) => purgeClosed(db, systemNow(), most))
  },
})
