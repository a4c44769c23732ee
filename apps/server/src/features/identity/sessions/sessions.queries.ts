import type { SessionItem } from '@aval/contract'
import type { Db } from '@aval/db'
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import { OPERATOR_IDLE, OPERATOR_LIFETIME } from '../../../core/operator-session.rules.ts'
import { IDLE_LIMIT, SESSION_LIFETIME } from './sessions.rules.ts'
import {
  countLiveSessions,
  type LiveSession,
  type LiveSince,
  selectLiveSessions,
  selectOperatorSessions,
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
