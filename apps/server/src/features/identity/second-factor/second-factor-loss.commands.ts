/** For a member who lost the phone and the recovery codes, and was identified by the person who runs the installation. */
import { type Db, inTransaction } from '@aval/db'
import type { Config } from '../../../config.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import { revokeEmailCodes } from '../email-codes/email-codes.commands.ts'
import { findByUsername } from '../members/members.queries.ts'
import { lockMember } from '../members/members.sql.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { endSessions } from '../sessions/sessions.sql.ts'
import { hasSecondFactor } from './second-factor.queries.ts'
import { deleteChallengesOf, deleteTotp } from './second-factor.sql.ts'

interface Installation {
  readonly db: Db
  readonly config: Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'>
}

/** Who decided it, and how the member was identified. */
export interface Identified {
  readonly username: string
  /** The person at the console. */
  readonly by: string
  readonly how: string
}

/**
 * `nobody`: no member has that name. `not_on`: there is nothing to turn off. `operator`: an operator always has a second
 * factor, and gets another secret instead.
 */
export type Release = 'released' | 'nobody' | 'not_on' | 'operator'

/**
 * Turns the second factor off for a member who cannot. All sessions end, codes are revoked, money cools; the audit trail,
 * the security log and an e-mail with a "this was not me" link say so.
 * @param now system time
 */
export async function releaseSecondFactor(
  { db, config }: Installation,
  { username, by, how }: Identified,
  now: Date,
): Promise<Release> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return 'nobody'
    const { email: to, locale, is_operator } = await lockMember(tx, memberId)
    if (is_operator) return 'operator'
    if (!(await hasSecondFactor(tx, memberId))) return 'not_on'
    await deleteTotp(tx, memberId)
    await deleteChallengesOf(tx, memberId)
    await revokeEmailCodes(tx, memberId, now)
    await endSessions(tx, memberId, 'two_factor', now)
    const entry = { action: 'two_factor.release', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by, how } })
    const details = { by: 'operator' }
    const event = { memberId, kind: 'two_factor_off', at: now, device: null, details } as const
    await announceSecurityEvent(config, tx, event, {
      to,
      locale,
      content: (params) => ({
        template: 'two_factor_changed',
        params: { on: false, byOperator: true, ...params },
      }),
    })
    return 'released'
  })
}
