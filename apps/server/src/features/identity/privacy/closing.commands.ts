/** Closing an account: at once, when nothing is owed either way. Times are system time but where it says business. */
import { constraintOf, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { inBatches } from '../../../core/batches.ts'
import type { Context, JobContext } from '../../../core/context.ts'
import type { Actor, Device } from '../../../core/device.ts'
import { fold } from '../../../core/fold.rules.ts'
import { Refusal } from '../../../core/refusal.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { forgetDevices } from '../known-devices/known-devices.commands.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import type { lockMember } from '../members/members.sql.ts'
import { skeletonOf } from '../names/skeleton.rules.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { closingRefused, leftIn, refuseLeft } from './closing.queries.ts'
import { closeMember, deleteProofs, purgeClosed } from './closing.sql.ts'
import { afterProof, type Proof } from './proof.commands.ts'

type MemberRow = Awaited<ReturnType<typeof lockMember>>

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
  const refused = await closingRefused(context.db, actor)
  if (refused !== null) throw new Refusal(refused)
  if (fold(wanted.username) !== fold(actor.username)) throw nameWrong()
  const businessNow = await context.clock.now()
  refuseLeft(await leftIn(context.db, memberId, businessNow))
  await afterProof(context, actor, { ...wanted, action: 'account.close' }, now, async (tx, member) => {
    await closeLocked(context, tx, { memberId, member, device }, { now, businessNow })
    const entry = { action: 'account.close', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: memberId, ...entry })
  })
}

/**
 * Closes a member's account for an operator, under the same conditions. The caller writes the audit entry.
 * @param wanted.username typed, so that nobody closes another account than meant
 * @returns the name that it had
 * @throws Refusal `account_of_operator`, `account_of_company`, `account_name_wrong`, `account_not_empty`, and those of `lockActedOn`
 */
export async function closeForOperator(
  context: Context,
  tx: Tx,
  wanted: { readonly memberId: bigint | null; readonly operatorId: bigint; readonly username: string },
  moment: { readonly now: Date; readonly businessNow: Date },
): Promise<string> {
  const { memberId, member } = await lockActedOn(tx, wanted)
  const refused = await closingRefused(tx, { memberId, isOperator: member.is_operator })
  if (refused !== null) throw new Refusal(refused)
  if (fold(wanted.username) !== fold(member.username)) throw nameWrong()
  await closeLocked(context, tx, { memberId, member, device: null }, moment)
  return member.username
}

const nameWrong = () =>
  new Refusal('account_name_wrong', {}, [{ path: 'username', key: 'account_name_wrong', params: {} }])

/** @param of.device null where an operator closes it */
async function closeLocked(
  { config }: Context,
  tx: Tx,
  of: {
    readonly memberId: bigint
    readonly member: Pick<MemberRow, 'email' | 'locale' | 'username'>
    readonly device: Device | null
  },
  { now, businessNow }: { readonly now: Date; readonly businessNow: Date },
): Promise<void> {
  const { memberId, device } = of
  const { email, locale, username } = of.member
  const { retentionYears, mailFrom } = config
  const keepUntil = yearsLater(now, retentionYears)
  const name = { username: fold(username), skeleton: skeletonOf(username) }
  await closeOrRefuse(tx, { memberId, ...name, email: fold(email), at: now, keepUntil }, businessNow)
  await endAccess(tx, memberId, now)
  const details = device === null ? { by: 'operator' } : {}
  const event = await recordSecurityEvent(tx, { memberId, kind: 'account_closed', at: now, device, details })
  const params = {
    username,
    years: retentionYears,
    keptUntil: keepUntil,
    contact: mailFrom.address,
    at: now,
    ...(device !== null && { device: device.userAgent, ip: device.ip }),
  }
  const mail = { memberId, to: email, locale, event: `account_closed:${event}` }
  await queueMail(tx, { ...mail, template: 'account_closed', params }, now)
}

export const privacyJobs = ({ db, systemNow }: JobContext) => ({
  'closed_accounts.purge': async () => {
    await inBatches((most) => purgeClosed(db, systemNow(), most))
  },
})
