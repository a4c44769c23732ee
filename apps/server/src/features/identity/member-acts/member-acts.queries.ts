/** What operators can do to a member, and what it would mean. */
import type { ExtraPointsCost, MemberActs } from '@aval/contract'
import type { Db } from '@aval/db'
import { applyRatio, formatAmount, micro } from '@aval/money'
import { firstLevelShare } from '@aval/plan'
import type { Reader } from '../../../core/messages.ts'
import { Refusal } from '../../../core/refusal.ts'
import { extraPercentOf } from '../../genealogy/genealogy.queries.ts'
import { planAt } from '../../plan-versions/plan-versions.queries.ts'
import { findOpenRelease } from '../factor-release/factor-release.queries.ts'
import { findFreeze } from '../freezing/freezing.queries.ts'
import { isAbove } from '../members/members.sql.ts'
import { presentLeft } from '../privacy/closing.presenter.ts'
import { closingRefused, leftIn } from '../privacy/closing.queries.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { countSessions } from '../sessions/sessions.queries.ts'
import { selectActs } from './member-acts.sql.ts'
import { selectFirstLevel } from './terms.sql.ts'

/** @param now business and system time. @throws Refusal `member_not_found` */
export async function readActs(
  db: Db,
  memberId: bigint | null,
  operatorId: bigint,
  reader: Reader,
  now: { readonly business: Date; readonly system: Date },
): Promise<MemberActs> {
  const row = memberId === null ? undefined : await selectActs(db, memberId)
  if (memberId === null || row === undefined) throw new Refusal('member_not_found')
  const freeze = await findFreeze(db, memberId)
  return {
    username: row.username,
    own: memberId === operatorId,
    operator: row.is_operator,
    above: await isAbove(db, memberId, operatorId),
    email: row.email,
    phone: row.phone_number,
    closed: row.closed_at !== null,
    frozen: freeze === null ? null : { at: freeze.at.toISOString(), by: freeze.by, reason: freeze.reason },
    stoppable: { count: row.stoppable_count, amount: formatAmount(row.stoppable) },
    on_their_way: row.on_their_way,
    fundator: row.is_fundator,
    masters: row.masters,
    extra_percent: await extraPercentOf(db, memberId),
    sessions: await countSessions(db, memberId, now.system),
    second_factor: await hasSecondFactor(db, memberId),
    release: await findOpenRelease(db, memberId, operatorId, now.system),
    closing: {
      refused: await closingRefused(db, { memberId, isOperator: row.is_operator }),
      left: presentLeft(await leftIn(db, memberId, now.business), reader),
    },
  }
}

const DAYS = 30
const DAY_MS = 86_400_000

/**
 * What extra points would have cost in the last 30 days: the first-level commissions that were computed for this sponsor, at the plan's
 * percentage of today and these points.
 * @param percent as `readExtraPercent` gives it
 * @param now business time
 */
export async function costOfExtraPoints(
  db: Db,
  memberId: bigint | null,
  percent: string,
  now: Date,
): Promise<ExtraPointsCost> {
  const row = memberId === null ? undefined : await selectActs(db, memberId)
  if (memberId === null || row === undefined) throw new Refusal('member_not_found')
  const { plan } = await planAt(db, now)
  const { count, basis, paid } = await selectFirstLevel(db, memberId, new Date(now.getTime() - DAYS * DAY_MS))
  const would = applyRatio(micro(basis), firstLevelShare(plan, percent))
  return {
    percent,
    days: DAYS,
    commissions: count,
    basis: formatAmount(basis),
    paid: formatAmount(paid),
    would_have_paid: formatAmount(would),
    difference: formatAmount(would - paid),
  }
}
