/** What an admin sets for one member besides the plan: fundator, and extra points. */
import type { Tx } from '@aval/db'
import { parseExtraPercent } from '@aval/plan'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { openInstant } from '../../../ledger/ledger.commands.ts'
import { extraPercentOf } from '../../genealogy/genealogy.queries.ts'
import type { MailTemplate } from '../../mail/mail.templates.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { updateExtraPercent, updateFundator } from './terms.sql.ts'

interface Act {
  readonly memberId: bigint | null
  readonly operatorId: bigint
}
type Config = Pick<Context, 'config'>
/** Of the business, and of the system. */
interface Moment {
  readonly now: Date
  readonly systemNow: Date
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
 * Makes a member a fundator, who may convert referrals to master, or takes that back; masters stay masters.
 * @returns the member's username
 * @throws Refusal `fundator_unchanged`, and those of `lockActedOn`
 */
export async function decideFundator(
  { config }: Config,
  tx: Tx,
  { fundator, ...act }: Act & { readonly fundator: boolean },
  at: Date,
): Promise<string> {
  const { memberId, member } = await lockActedOn(tx, act)
  if (!(await updateFundator(tx, { memberId, fundator, operatorId: act.operatorId })))
    throw new Refusal('fundator_unchanged')
  const kind = fundator ? 'fundator_on' : 'fundator_off'
  const event = { memberId, kind, at, device: null, details: { by: 'operator' } } as const
  await announceSecurityEvent(config, tx, event, member, () => letterOf(kind, at))
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
 * Sets the percentage points that a member gets as a sponsor on top of the plan's first level, for what is invested from now on and has
 * no commissions yet.
 * @returns the member's username, and the points
 * @param wanted.was what the operator saw
 * @throws Refusal `extra_points_invalid`, `extra_points_moved`, `extra_points_unchanged`, and those of `lockActedOn`
 */
export async function decideExtraPoints(
  { config }: Config,
  tx: Tx,
  { percent: typed, was, ...act }: Act & { readonly percent: string; readonly was: string },
  { now, systemNow: at }: Moment,
): Promise<{ readonly username: string; readonly percent: string }> {
  const percent = readExtraPercent(typed)
  const { memberId, member } = await lockActedOn(tx, act)
  const before = await extraPercentOf(tx, memberId)
  if (before !== was) throw new Refusal('extra_points_moved', { percent: { decimal: before } })
  if (before === percent) throw new Refusal('extra_points_unchanged')
  // Held open, no run can look at history between the number that is drawn here and its commit.
  const dated = await openInstant(tx, now)
  if (!(await updateExtraPercent(tx, { memberId, percent, operatorId: act.operatorId }, dated)))
    throw new Refusal('extra_points_unchanged')
  const details = { by: 'operator', previous: before, percent }
  const event = { memberId, kind: 'extra_points_set', at, device: null, details } as const
  await announceSecurityEvent(config, tx, event, member, () => letterOf('extra_points', at, percent))
  return { username: member.username, percent }
}
