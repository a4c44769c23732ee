/**
 * Sessions and their refresh tokens.
 *
 * Terms. A *session* begins with a sign-in. Each refresh *rotates*: the token sent is used up and a new one issued. A
 * used token that comes again is *reuse*: somebody else has a copy, so the whole session ends. Two tabs may send the same
 * token at once, hence the *grace*: within ten seconds of its use the second one gets a pair of its own. That forks the
 * session, and a thief who is quick enough could hold one branch; so the next rotation uses up every other branch, and
 * whoever still holds one gives itself away.
 */
const SECOND = 1000
const HOUR = 3600 * SECOND
export const GRACE = 10 * SECOND
export const IDLE = 24 * HOUR
export const LONGEST = 30 * 24 * HOUR

export interface SessionState {
  readonly startedAt: Date
  readonly ended: boolean
}

export interface TokenState {
  readonly issuedAt: Date
  readonly usedAt: Date | null
}

/**
 * `rotate`: use it up, and every other branch. `fork`: the grace. `reuse`: end the session. `refuse`: nothing is left to
 * end.
 */
export type Verdict = 'rotate' | 'fork' | 'reuse' | 'refuse'

/** @param now the system's time */
export function judge(session: SessionState, token: TokenState, now: Date): Verdict {
  const instant = now.getTime()
  if (session.ended || instant - session.startedAt.getTime() > LONGEST) return 'refuse'
  if (token.usedAt !== null) return instant - token.usedAt.getTime() <= GRACE ? 'fork' : 'reuse'
  return instant - token.issuedAt.getTime() > IDLE ? 'refuse' : 'rotate'
}
