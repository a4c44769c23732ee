import type { Db } from '@aval/db'
import { IDLE_LIMIT, SESSION_LIFETIME } from './sessions.rules.ts'
import { countLiveSessions, type LiveSince, selectLiveSessions } from './sessions.sql.ts'

const liveAt = (now: Date): LiveSince => ({
  startedAt: new Date(now.getTime() - SESSION_LIFETIME),
  usedAt: new Date(now.getTime() - IDLE_LIMIT),
})

/** @param now system time */
export async function listSessions(
  db: Db,
  caller: { readonly memberId: bigint; readonly sessionId: string },
  { offset, pageSize: limit }: { readonly offset: number; readonly pageSize: number },
  now: Date,
) {
  const { memberId, sessionId: current } = caller
  const results = await selectLiveSessions(db, { memberId, current, since: liveAt(now), offset, limit })
  return { results, count: await countSessions(db, memberId, now) }
}

/** How many sessions of a member are live. @param now system time */
export function countSessions(db: Db, memberId: bigint, now: Date): Promise<number> {
  return countLiveSessions(db, memberId, liveAt(now))
}
