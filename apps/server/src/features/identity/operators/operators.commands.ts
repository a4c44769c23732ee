import type { Locale } from '@aval/contract'
import { type Database, type Db, inTransaction, type Tx } from '@aval/db'
import type { Config } from '../../../config.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import { demoClock } from '../../../core/context.ts'
import { say } from '../../../core/messages.ts'
import { setExtraPercent } from '../../genealogy/genealogy.commands.ts'
import { alertOperators } from '../../operator-alerts/alert.commands.ts'
import { findByUsername } from '../members/members.queries.ts'
import { lockMember, updateMember } from '../members/members.sql.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret } from '../second-factor/totp-setup.commands.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'

/** What to hand over to a new operator; null where two-factor was on already. */
export interface Appointed {
  readonly setUp: { readonly secret: string; readonly uri: string } | null
}

/** Who is to become an operator, or no longer be one. */
interface Named {
  readonly username: string
  /** The person at the console. */
  readonly by: string
}

/** The audit entry of a change of operators, and the e-mail to all who are operators at this moment. */
async function announceOperators(
  tx: Tx,
  change: 'made' | 'dismissed',
  { memberId, username, by }: Named & { readonly memberId: bigint },
  now: Date,
): Promise<void> {
  const entry = { action: `operator.${change}`, outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by } })
  const words = { username, member: String(memberId), by }
  const letter = (locale: Locale) => ({
    subject: say(locale, 'operator_alert_subject', words),
    lines: [say(locale, `operator_alert_${change}`, words), say(locale, 'operator_alert_what')],
  })
  await alertOperators(tx, { event: `operator:${change}:${memberId}:${now.toISOString()}`, letter }, now)
}

/**
 * Gives the operator's rights. Two-factor comes first, and every session ends: there is no operator without, and none in a session
 * that began as a member's.
 *
 * @param named.renew makes a new secret although there is one, for an operator who lost the phone
 * @param now system time
 * @returns null when nobody is called so
 */
export async function appoint(
  { db, config }: { readonly db: Db; readonly config: Pick<Config, 'sealKey'> },
  { username, by, renew }: Named & { readonly renew: boolean },
  now: Date,
): Promise<Appointed | null> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return null
    const member = await lockMember(tx, memberId)
    const isNeeded = renew || !(await hasSecondFactor(tx, memberId))
    const setUp = isNeeded ? await assignTotpSecret({ db: tx, config }, memberId, newTotpSecret(), now) : null
    if (member.is_operator) return { setUp }
    await endSessions(tx, memberId, 'two_factor', now)
    await updateMember(tx, memberId, { is_operator: true, operator_role: 'admin' })
    await announceOperators(tx, 'made', { memberId, username: member.username, by }, now)
    return { setUp }
  })
}

/** Takes the operator's rights, and ends every session, which would go on as a member's. False when nobody is called so. */
export async function dismiss(db: Database, { username, by }: Named, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return false
    const member = await lockMember(tx, memberId)
    if (!member.is_operator) return true
    // First: who is dismissed hears of it as well.
    await announceOperators(tx, 'dismissed', { memberId, username: member.username, by }, now)
    await updateMember(tx, memberId, { is_operator: false, operator_role: null })
    await endSessions(tx, memberId, 'ended', now)
    return true
  })
}

/** What a person at the console decided about a member: `unchanged` where it was so before, `nobody` where no member has that name. */
export type Decided = 'changed' | 'unchanged' | 'nobody'

/**
 * Makes a member a fundator, who may promote referrals to master, or takes that back; masters stay masters. The audit trail
 * and the member's security log say so.
 *
 * @param by the person at the console
 * @param now system time
 */
export async function setFundator(
  db: Db,
  { username, fundator, by }: { readonly username: string; readonly fundator: boolean; readonly by: string },
  now: Date,
): Promise<Decided> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return 'nobody'
    const member = await lockMember(tx, memberId)
    if (member.is_fundator === fundator) return 'unchanged'
    await updateMember(tx, memberId, { is_fundator: fundator })
    const entry = { action: 'member.fundator', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by, fundator } })
    const kind = fundator ? 'fundator_on' : 'fundator_off'
    await recordSecurityEvent(tx, { memberId, kind, at: now, device: null, details: { by: 'operator' } })
    return 'changed'
  })
}

/**
 * Sets the percentage points that a member gets as a sponsor on top of the plan's first level. The table keeps every
 * change; the audit trail says so, too.
 *
 * @param percent as `parseExtraPercent` gives it; `0` takes them away
 * @param by the person at the console
 * @param now system time; the change itself is dated by business time, as what runs read is
 */
export async function setExtraPoints(
  db: Database,
  { username, percent, by }: { readonly username: string; readonly percent: string; readonly by: string },
  now: Date,
): Promise<Decided> {
  const businessNow = await demoClock(db).now()
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return 'nobody'
    if (!(await setExtraPercent(tx, { sponsorId: memberId, percent, by }, businessNow))) return 'unchanged'
    const entry = { action: 'member.extra_percent', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by, percent } })
    return 'changed'
  })
}
