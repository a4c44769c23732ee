import type { SessionItem } from '@aval/contract'
import type { Db } from '@aval/db'
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import { OPERATOR_IDLE, OPERATOR_LIFETIME } from '../../../core/operator-session.rules.ts'
import { IDLE_LIMIT, isNewDevice, SESSION_LIFETIME } from './sessions.rules.ts'
import {
  countLiveSessions,
  type LiveSession,
  type LiveSince,
  selectLiveSessions,
  selectNewSignIns,
  selectOperatorSessions,
  selectUserAgents,
} from './sessions.sql.ts'

function liveAt(now: Date): LiveSince {
  const before = (milliseconds: number) => new Date(now.getTime() - milliseconds)
  const operator = { startedAt: before(OPERATOR_LIFETIME), actedAt: before(OPERATOR_IDLE) }
  return { startedAt: before(SESSION_LIFETIME), usedAt: before(IDLE_LIMIT), operator }
}

const presentSession = (session: LiveSession, current: string): SessionItem => ({
  id: session.id,
  current: session.id === current,
  device: namesOfDevice(session.user_agent),
  ip: session.ip,
  started_at: session.started_at.toISOString(),
  last_used_at: session.used_at.toISOString(),
  two_factor: session.second_factor,
  operator: session.is_operator && session.second_factor,
})

/** @param now system time */
export async function listSessions(
  db: Db,
  caller: { readonly memberId: bigint; readonly sessionId: string },
  { offset, pageSize: limit }: { readonly offset: number; readonly pageSize: number },
  now: Date,
) {
  const { memberId, sessionId: current } = caller
  const live = await selectLiveSessions(db, { memberId, current, since: liveAt(now), offset, limit })
  const results = live.map((session) => presentSession(session, current))
  return { results, count: await countSessions(db, memberId, now) }
}

const MOST_OF_OPERATORS = 2000

/** What is open of all operators. @param now system time */
export async function listOperatorSessions(db: Db, now: Date) {
  const live = await selectOperatorSessions(db, liveAt(now), MOST_OF_OPERATORS)
  return live.map((session) => ({ ...presentSession(session, ''), memberId: session.member_id }))
}

/** How many sessions of a member are live. @param now system time */
export function countSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  return countLiveSessions(db, memberId, liveAt(now))
}

/** More devices than a member has sessions in. */
const MOST_DEVICES = 200

/**
 * When a device came to a member who had been seen in others before. Null where it did not since an instant: the device of the first session
 * is nobody's unknown one, and neither is one that the member has used for longer.
 */
export async function findNewDevice(
  db: Db,
  memberId: bigint,
  userAgent: string,
  { since, now }: { readonly since: Date; readonly now: Date },
): Promise<Date | null> {
  if (isNewDevice(userAgent, await selectUserAgents(db, memberId, MOST_DEVICES))) return now
  const signIns = await selectNewSignIns(db, memberId, since)
  return signIns.find((each) => !isNewDevice(userAgent, [each.user_agent]))?.at ?? null
}
