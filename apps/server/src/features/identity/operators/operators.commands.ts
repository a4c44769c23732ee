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

/** What to hand over to a new operator; null where two-factor was on already. */
export interface Appointed {
  readonly setUp: { readonly secret: string; readonly uri: string } | null
}

/**
 * Gives the operator's rights. Two-factor comes first, and with it the end of every session: there is no operator without.
 *
 * @param renew makes a new secret although there is one, for an operator who lost the phone
 * @param now system time
 * @returns null when nobody is called so
 */
export async function appoint(
  { db, config }: { readonly db: Db; readonly config: Pick<Config, 'sealKey'> },
  username: string,
  renew: boolean,
  now: Date,
): Promise<Appointed | null> {
  const memberId = await findByUsername(db, username)
  if (memberId === null) return null
  const isNeeded = renew || !(await hasSecondFactor(db, memberId))
  const setUp = isNeeded ? await assignTotpSecret({ db, config }, memberId, newTotpSecret(), now) : null
  await updateMember(db, memberId, { is_operator: true })
  return { setUp }
}

/** Takes the operator's rights, from the next call on. False when nobody is called so. */
export async function dismiss(db: Db, username: string): Promise<boolean> {
  const memberId = await findByUsername(db, username)
  if (memberId !== null) await updateMember(db, memberId, { is_operator: false })
  return memberId !== null
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
