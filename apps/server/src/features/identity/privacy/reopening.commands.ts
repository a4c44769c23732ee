import { type Database, inTransaction } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { fold } from '../../../core/fold.rules.ts'
import { claimIdentifiers } from '../members/members.sql.ts'
import { hashOfNoPassword } from '../members/password-hash.ts'
import { recordSecurityEvent } from '../security-log/security-log.commands.ts'
import { openMember, takeClosed } from './closing.sql.ts'

/** `nobody`: no closed account had that name, or it is not kept any more. `email_taken`: another member has the e-mail by now. */
export type Reopened = 'reopened' | 'nobody' | 'email_taken'

/**
 * Opens a closed account again: for its owner of the tables alone, when money came for it, or when somebody else had closed it. Name,
 * e-mail, phone and wallet are what they were; the password is nobody's until it is reset by e-mail, and money cools.
 *
 * @param wanted.username as it was before it was closed
 * @param wanted.email another one; null for the one that it had
 * @param wanted.how it was made sure that its member is who asks
 * @param now system time
 */
export async function reopenAccount(
  db: Database,
  wanted: {
    readonly username: string
    readonly email: string | null
    readonly by: string
    readonly how: string
  },
  now: Date,
): Promise<Reopened> {
  const { by, how } = wanted
  return inTransaction(db, async (tx) => {
    const closed = await takeClosed(tx, fold(wanted.username))
    if (closed === undefined) return 'nobody'
    const memberId = closed.member_id
    const email = wanted.email ?? closed.email
    if ((await claimIdentifiers(tx, memberId, [['email', fold(email)]])).length === 0) return 'email_taken'
    await openMember(tx, { ...closed, email }, hashOfNoPassword())
    const details = { by, how }
    const entry = { action: 'account.reopen', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details })
    const event = { memberId, kind: 'account_reopened', at: now, device: null } as const
    await recordSecurityEvent(tx, { ...event, details: { by: 'operator' } })
    return 'reopened'
  })
}
