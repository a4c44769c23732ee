/** What admins propose for one member besides the plan: fundator, and extra points. */
import { inTransaction, type Tx } from '@aval/db'
import { parseExtraPercent } from '@aval/plan'
import type { JobContext } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { appliedPayload, propose } from '../../decisions/decisions.commands.ts'
import { extraPercentOf } from '../../genealogy/genealogy.queries.ts'
import type { MailTemplate } from '../../mail/mail.templates.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import { lockIfMember } from '../members/members.sql.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { isAnnounced, selectTerms } from './terms.sql.ts'

interface Act {
  readonly memberId: bigint | null
  readonly operatorId: bigint
  readonly reason: string
  /** Business time. */
  readonly now: Date
}

const letterOf = (
  change: 'fundator_on' | 'fundator_off' | 'extra_points',
  at: Date,
  percent?: string,
): MailTemplate => ({
  template: 'terms_changed',
  params: { change, at, ...(percent === undefined ? {} : { percent }) },
})

/**
 * Proposes to make a member a fundator, who may convert referrals to master, or to take that back; masters stay masters.
 * @returns the member's username
 * @throws Refusal `fundator_unchanged`, and those of `lockActedOn`
 */
export async function proposeFundator(
  tx: Tx,
  { fundator, reason, now, ...act }: Act & { readonly fundator: boolean },
): Promise<string> {
  const { memberId, member } = await lockActedOn(tx, act)
  if (member.is_fundator === fundator) throw new Refusal('fundator_unchanged')
  const given = { member: String(memberId), from: String(member.is_fundator), to: String(fundator), reason }
  const about = { kind: 'set_fundator', subject: `fundator:${memberId}`, given } as const
  await propose(tx, { ...about, operatorId: act.operatorId, now })
  return member.username
}

/** @throws Refusal `extra_points_invalid` */
export function readExtraPercent(text: string): string {
  const percent = parseExtraPercent(text)
  if (percent !== null) return percent
  throw new Refusal('extra_points_invalid', {}, [
    { path: 'percent', key: 'extra_points_invalid', params: {} },
  ])
}

/**
 * Proposes the percentage points that a member gets as a sponsor on top of the plan's first level, for what is invested from their approval
 * on and has no commissions yet.
 * @returns the member's username, and the points
 * @param wanted.was what the operator saw
 * @throws Refusal `extra_points_invalid`, `extra_points_moved`, `extra_points_unchanged`, and those of `lockActedOn`
 */
export async function proposeExtraPoints(
  tx: Tx,
  { percent: typed, was, reason, now, ...act }: Act & { readonly percent: string; readonly was: string },
): Promise<{ readonly username: string; readonly percent: string }> {
  const percent = readExtraPercent(typed)
  const { memberId, member } = await lockActedOn(tx, act)
  const before = await extraPercentOf(tx, memberId)
  if (before !== was) throw new Refusal('extra_points_moved', { percent: { decimal: before } })
  if (before === percent) throw new Refusal('extra_points_unchanged')
  const given = { member: String(memberId), from: before, to: percent, reason }
  const about = { kind: 'set_extra_percent', subject: `extra_percent:${memberId}`, given } as const
  await propose(tx, { ...about, operatorId: act.operatorId, now })
  return { username: member.username, percent }
}

/** The job: a member hears of terms that operators signed, once. */
export async function announceTerms({ config, db, systemNow }: JobContext, payload: unknown): Promise<void> {
  const { decision } = appliedPayload.parse(payload)
  await inTransaction(db, async (tx) => {
    const { kind, member: memberId, from: previous, to } = await selectTerms(tx, decision)
    const member = await lockIfMember(tx, memberId)
    if (member === undefined || (await isAnnounced(tx, memberId, decision))) return
    const at = systemNow()
    const change = kind === 'set_fundator' ? (to === 'true' ? 'fundator_on' : 'fundator_off') : 'extra_points'
    const percent = change === 'extra_points' ? { previous, percent: to } : {}
    const details = { by: 'operator', decision: String(decision), ...percent }
    const event = {
      memberId,
      kind: change === 'extra_points' ? 'extra_points_set' : change,
      at,
      device: null,
      details,
    } as const
    await announceSecurityEvent(config, tx, event, member, () => letterOf(change, at, percent.percent))
  })
}
