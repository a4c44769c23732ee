/**
 * Releasing the second factor of a member who lost it. One operator says how the person was identified, another one agrees within 48
 * hours with a fresh code; the member gets an e-mail both times, and stops it by the link that says "this was not me".
 */
import { constraintOf, type Tx } from '@aval/db'
import type { Context } from '../../../core/context.ts'
import { Refusal } from '../../../core/refusal.ts'
import { lockActedOn } from '../members/acted-on.queries.ts'
import { hasSecondFactor } from '../second-factor/second-factor.queries.ts'
import { turnOffByOperators } from '../second-factor/totp-setup.commands.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { endRelease, insertRelease, type OpenRelease, selectOpenRelease } from './factor-release.sql.ts'

interface Act {
  readonly memberId: bigint | null
  readonly operatorId: bigint
}
type Config = Pick<Context, 'config'>

/** @throws Refusal `member_is_operator`, `two_factor_off`, and those of `lockActedOn` */
async function lockWithFactor(tx: Tx, act: Act) {
  const locked = await lockActedOn(tx, act)
  if (locked.member.is_operator) throw new Refusal('member_is_operator')
  if (!(await hasSecondFactor(tx, locked.memberId))) throw new Refusal('two_factor_off')
  return locked
}

/**
 * Asks for it. Nothing changes but that the member hears of it.
 * @param now system time
 * @throws Refusal `release_waits`, and those of `lockWithFactor`
 */
export async function askRelease(
  { config }: Config,
  tx: Tx,
  asked: Act & { readonly reason: string; readonly identified: string },
  now: Date,
): Promise<void> {
  const { operatorId, reason, identified } = asked
  const { memberId, member } = await lockWithFactor(tx, asked)
  const number = await insertRelease(tx, { memberId, reason, identified, operatorId }, now)
  const open = await requireOpen(tx, memberId, now)
  if (number === null) throw new Refusal('release_waits', { by: open.by, at: open.askedAt })
  const details = { by: 'operator' }
  const event = { memberId, kind: 'release_asked', at: now, device: null, details } as const
  await announceSecurityEvent(config, tx, event, member, (params) => ({
    template: 'release_asked',
    params: { until: open.endsAt, ...params },
  }))
}

/** @throws Refusal `release_ended` */
async function requireOpen(tx: Tx, memberId: bigint, now: Date): Promise<OpenRelease> {
  const open = await selectOpenRelease(tx, memberId, now)
  if (open === undefined) throw new Refusal('release_ended')
  return open
}

/**
 * Agrees to it: the second factor is off, all sessions end, and money cools.
 * @returns the member's username
 * @throws Refusal `release_needs_another`, `release_ended`, and those of `lockWithFactor`
 */
export async function agreeToRelease({ config }: Config, tx: Tx, act: Act, now: Date): Promise<string> {
  const { memberId, member } = await lockWithFactor(tx, act)
  const open = await requireOpen(tx, memberId, now)
  if (open.askedBy === act.operatorId) throw new Refusal('release_needs_another')
  try {
    await endRelease(tx, memberId, 'released', act.operatorId, now)
  } catch (error) {
    throw constraintOf(error) === 'release_by_two' ? new Refusal('release_needs_another') : error
  }
  await turnOffByOperators(config, tx, memberId, now)
  return member.username
}

/** Refuses it, or takes it back. @returns the member's username @throws Refusal `release_ended`, and those of `lockActedOn` */
export async function refuseRelease(tx: Tx, act: Act, now: Date): Promise<string> {
  const { memberId, member } = await lockActedOn(tx, act)
  if (!(await endRelease(tx, memberId, 'refused', act.operatorId, now))) throw new Refusal('release_ended')
  return member.username
}

/** The member says that it was somebody else who asked. */
export const stopRelease = async (tx: Tx, memberId: bigint, { systemNow }: { readonly systemNow: Date }) => {
  await endRelease(tx, memberId, 'stopped', null, systemNow)
}
