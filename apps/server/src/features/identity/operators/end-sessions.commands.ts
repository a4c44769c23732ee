/** Ending every session of a member, for an operator or the person at the console. */
import { type Database, inTransaction, type Tx } from '@aval/db'
import type { Config } from '../../../config.ts'
import { recordAudit } from '../../../core/audit.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import { requireNotAbove } from '../members/acted-on.queries.ts'
import { findByUsername } from '../members/members.queries.ts'
import { findMember } from '../members/members.sql.ts'
import { announceSecurityEvent } from '../security-log/security-log.commands.ts'
import { countSessions } from '../sessions/sessions.queries.ts'
import { endSessions } from '../sessions/sessions.sql.ts'

type Letters = { readonly config: Pick<Config, 'jwtKey' | 'publicUrl' | 'coolingHours'> }

/**
 * Ends all sessions of a member. Their security log and an e-mail say so; the caller writes the audit entry.
 * @param of.operatorId null for the person at the console
 * @param now system time
 * @returns how many the member had
 * @throws Refusal `member_not_found`, `member_is_above`
 */
export async function endSessionsOf(
  { config }: Letters,
  tx: Tx,
  { memberId, operatorId }: { readonly memberId: bigint | null; readonly operatorId: bigint | null },
  now: Date,
): Promise<number> {
  const member = memberId === null ? undefined : await findMember(tx, memberId)
  if (memberId === null || member === undefined) throw new Refusal('member_not_found')
  if (operatorId !== null) await requireNotAbove(tx, memberId, operatorId)
  const count = await countSessions(tx, memberId, now)
  await endSessions(tx, memberId, 'ended', now)
  if (count === 0) return 0
  const details = { count, by: 'operator' }
  const event = { memberId, kind: 'sessions_ended', at: now, device: null, details } as const
  await announceSecurityEvent(
    config,
    tx,
    event,
    member,
    (params) => ({ template: 'sessions_ended', params }),
    false,
  )
  return count
}

/**
 * The same by the person at the console, who is named in the audit entry.
 * @returns how many the member had; null when nobody is called so
 */
export async function endSessionsAtConsole(
  { db, config }: Letters & { readonly db: Database },
  { username, by, reason }: { readonly username: string; readonly by: string; readonly reason: string },
  now: Date,
): Promise<number | null> {
  return inTransaction(db, async (tx) => {
    const memberId = await findByUsername(tx, username)
    if (memberId === null) return null
    const count = await endSessionsOf({ config }, tx, { memberId, operatorId: null }, now)
    const entry = { action: 'member.end_sessions', outcome: 'done', subject: `member:${memberId}` } as const
    await recordAudit(tx, { at: now, actorId: null, ...entry, details: { by, reason } })
    return count
  })
}
