import type { SessionItem } from '@aval/contract'
import type { Db } from '@aval/db'
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import { IDLE_LIMIT, SESSION_LIFETIME } from './sessions.rules.ts'
import { countLiveSessions, type LiveSession, type LiveSince, selectLiveSessions } from './sessions.sql.ts'

const liveAt = (now: Date): LiveSince => ({
  startedAt: new Date(now.getTime() - SESSION_LIFETIME),
  usedAt: new Date(now.getTime() - IDLE_LIMIT),
})

const presentSession = (session: LiveSession, current: string): SessionItem => ({
  id: session.id,
  current: session.id === current,
  device: namesOfDevice(session.user_agent),
  ip: session.ip,
  started_at: session.started_at.toISOString(),
  last_used_at: session.used_at.toISOString(),
  two_factor: session.second_factor,
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

/** How many sessions of a member are live. @param now system time */
export function countSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  return countLiveSessions(db, memberId, liveAt(now))
}
