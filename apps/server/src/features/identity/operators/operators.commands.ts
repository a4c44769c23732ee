import type { OperatorRole } from '@aval/contract'
import { type Database, type Db, inTransaction } from '@aval/db'
import type { Config } from '../../../config.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import { demoClock } from '../../../core/context.ts'
import { setExtraPercent } from '../../genealogy/genealogy.commands.ts'
import { findByUsername } from '../members/members.queries.ts'
import { lockMember, updateMember } from '../members/members.sql.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { newTotpSecret } from '../second-factor/totp.ts'
import { assignTotpSecret } from '../second-factor/totp-setup.commands.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { announceOperators } from './announce.commands.ts'
import { hasAdmin, insertFormerOperator, lockOperators } from './operators.sql.ts'

/**
 * What came of it, and what to hand over: `setUp` is null where two-factor was on already. `role` is null where nothing was done, since
 * somebody has to say which role.
 */
export interface Appointed {
  readonly role: OperatorRole | null
  readonly setUp: { readonly secret: string; readonly uri: string } | null
}

/** Who is to become an operator, or no longer be one. */
interface Named {
  readonly username: string
  /** The person at the console. */
  readonly by: string
}

/**
 * Gives the operator's rights, or an operator another role. Two-factor comes first, and every session of a new one ends: there is no operator
 * without, and none in a session that began as a member's.
 *
 * @param named.renew makes a new secret although there is one, for an operator who lost the phone
 * @param named.role null: an operator keeps the role; a new one becomes an admin where there is none yet
 * @param now system time
 * @returns null when nobody is called so
 */
export async function appoint(
  { db, config }: { readonly db: Db; readonly config: Pick<Config, 'sealKey'> },
  { username, by, renew, role }: Named & { readonly renew: boolean; readonly role: OperatorRole | null },
  now: Date,
): Promise<Appointed | null> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return null
    await lockOperators(tx)
    const member = await lockMember(tx, memberId)
    const before = member.operator_role as OperatorRole | null
    const next = role ?? before ?? ((await hasAdmin(tx)) ? null : 'admin')
    if (next === null) return { role: null, setUp: null }
    const isNeeded = renew || !(await hasSecondFactor(tx, memberId))
    const setUp = isNeeded ? await assignTotpSecret({ db: tx, config }, memberId, newTotpSecret(), now) : null
    if (before === next) return { role: next, setUp }
    if (before === null) await endSessions(tx, memberId, 'two_factor', now)
    await updateMember(tx, memberId, { is_operator: true, operator_role: next })
    const about = { memberId, username: member.username, by, role: next, actorId: null }
    const details = before === null ? { by, role: next } : { by, before, after: next }
    await announceOperators(tx, before === null ? 'made' : 'role_set', about, details, now)
    return { role: next, setUp }
  })
}

/**
 * Takes the operator's rights, and ends every session, which would go on as a member's. The last admin's as well: who is at the server may make
 * another one. False when nobody is called so.
 */
export async function dismiss(db: Database, { username, by }: Named, now: Date): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return false
    await lockOperators(tx)
    const member = await lockMember(tx, memberId)
    if (!member.is_operator) return true
    // First: who is dismissed hears of it as well.
    const about = { memberId, username: member.username, by, actorId: null }
    await announceOperators(tx, 'dismissed', about, { by }, now)
    await insertFormerOperator(tx, memberId, now)
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
