/** A member who lost the phone and the recovery codes, and whom whoever runs the installation has identified. */
import { type Db, inTransaction } from '@aval/db'
import type { Config } from '../../../config.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import { queueMail } from '../../mail/mail.commands.ts'
import { killCodes } from '../email-codes/email-codes.commands.ts'
import { findByUsername } from '../registration/registration.queries.ts'
import { notMeUrl } from '../security-log/not-me-link.ts'
import { coolsUntil, recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { languageOf } from '../security-log/security-log.rules.ts'
import { endSessions } from '../security-log/security-log.sql.ts'
import { hasTwoFactor } from './second-factor.commands.ts'
import { deleteChallengesOf, deleteTotp, lockOwner } from './second-factor.sql.ts'

interface Installation {
  readonly db: Db
  readonly config: Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'>
}

/** Who decides it, and how it was made sure that the member is who asks. */
export interface Identified {
  readonly username: string
  /** Whoever is at the console. */
  readonly by: string
  readonly how: string
}

/**
 * `released`; `nobody` is called so; `not_on`: there is nothing to turn off; `operator`: an operator never goes without, and
 * is given another secret instead.
 */
export type Release = 'released' | 'nobody' | 'not_on' | 'operator'

/**
 * Turns two-factor off for a member who has no way left to do so. All sessions end, codes die, no money leaves for the
 * cooling time, both trails tell, and so does an e-mail, with a link for whoever it was not.
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
    const member = await lockOwner(tx, memberId)
    if (member.is_operator) return 'operator'
    if (!(await hasTwoFactor(tx, memberId))) return 'not_on'
    await deleteTotp(tx, memberId)
    await deleteChallengesOf(tx, memberId)
    await killCodes(tx, memberId, now)
    await endSessions(tx, memberId, 'two_factor', null, now)
    const kind = 'two_factor_off'
    const about = { memberId, kind, at: now, userAgent: '', ip: '', details: { by: 'operator' } } as const
    const event = `${kind}:${await recordSecurityEvent(tx, about)}`
    const entry = { action: 'two_factor.release', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by, how } })
    const until = await coolsUntil(tx, memberId, config, now)
    const params = {
      on: false,
      byOperator: true,
      at: now,
      notMeUrl: notMeUrl(config, memberId, event, now),
      ...(until === null ? {} : { coolsUntil: until }),
    }
    const told = { memberId, to: member.email, locale: languageOf(member.locale), event }
    await queueMail(tx, { ...told, template: 'two_factor_changed', params }, now)
    return 'released'
  })
}
