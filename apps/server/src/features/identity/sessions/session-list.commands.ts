/** What a member sees of sign-ins and of what happened to the account, and the sessions that a member ends. */
import { type Db, inTransaction, type Tx } from '@aval/db'
import { recordAudit } from '../../../core/audit.sql.ts'
import { Refusal } from '../../../core/refusal.ts'
import type { Self } from '../profile/profile.commands.ts'
import { recordSecurityEvent, requireLiveSession } from '../security-log/security-log.commands.ts'
import { endSessions } from '../security-log/security-log.sql.ts'
import {
  type Alive,
  countLiveSessions,
  countSecurityEvents,
  endOwnSession,
  selectLiveSessions,
  selectSecurityEvents,
} from './session-list.sql.ts'
import { IDLE, LONGEST } from './sessions.rules.ts'

export type { LiveSession } from './session-list.sql.ts'

interface PageOf {
  readonly offset: number
  readonly pageSize: number
}

const aliveAt = (now: Date): Alive => ({
  begunSince: new Date(now.getTime() - LONGEST),
  usedSince: new Date(now.getTime() - IDLE),
})

/** @param now system time */
export async function listSessions(
  db: Db,
  caller: { readonly memberId: bigint; readonly sessionId: string },
  { offset, pageSize: limit }: PageOf,
  now: Date,
) {
  const { memberId, sessionId: present } = caller
  const alive = aliveAt(now)
  const results = await selectLiveSessions(db, { memberId, present, alive, offset, limit })
  return { results, count: await countLiveSessions(db, memberId, alive) }
}

async function writeDown(tx: Tx, { memberId, device }: Self, count: number, now: Date): Promise<void> {
  const details = { count }
  await recordSecurityEvent(tx, { memberId, kind: 'sessions_ended', at: now, ...device, details })
  const entry = { action: 'session.end', outcome: 'done', subject: `member:${memberId}` } as const
  await recordAudit(tx, { at: now, actorId: memberId, ...entry, details })
}

/**
 * Ends one session of a member's, which may be the present one. Its tokens are refused from the next call on.
 * @param now system time
 * @throws Refusal `session_not_found`: nobody's, somebody else's, or ended before; `not_signed_in`
 */
export async function endSessionOf(db: Db, self: Self, sessionId: string, now: Date): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Ended meanwhile, whoever calls ends nothing any more.
    if (sessionId !== self.sessionId) await requireLiveSession(tx, self)
    if (!(await endOwnSession(tx, self.memberId, sessionId, now))) throw new Refusal('session_not_found')
    await writeDown(tx, self, 1, now)
  })
}

/**
 * Ends every session of a member's but the present one.
 * @param now system time
 * @returns how many
 * @throws Refusal `not_signed_in`
 */
export async function endOtherSessions(db: Db, self: Self, now: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    await requireLiveSession(tx, self)
    const { memberId, sessionId } = self
    const alive = await countLiveSessions(tx, memberId, aliveAt(now))
    await endSessions(tx, memberId, 'ended', sessionId, now)
    const count = Math.max(0, alive - 1)
    if (count > 0) await writeDown(tx, self, count, now)
    return count
  })
}

/** What happened to an account, the latest first. */
export async function listSecurityEvents(db: Db, memberId: bigint, { offset, pageSize: limit }: PageOf) {
  const results = await selectSecurityEvents(db, memberId, { offset, limit })
  return { results, count: await countSecurityEvents(db, memberId) }
}
