/**
 * Sessions and their refresh tokens.
 *
 * Terms. A *session* begins with a sign-in. Each refresh *rotates*: the token sent is used up and a new one issued. A used
 * token that comes again is *reuse*: somebody else has a copy, so the whole session ends. Two tabs may send the same token
 * at once, hence the *grace*: within ten seconds of its use the second tab gets a pair of its own. That *forks* the
 * session, and a quick thief could hold one branch. So the next rotation uses up every other branch, and using one of
 * those is reuse.
 */
import { namesOfDevice } from '../../../core/device-names.rules.ts'
import {
  endOfOperatorSession,
  type OperatorSession,
  type OperatorSessionEnd,
} from '../../../core/operator-session.rules.ts'

const SECOND = 1000
const HOUR = 3600 * SECOND
export const GRACE = 10 * SECOND
/** A session that was not refreshed for this long is over. */
export const IDLE_LIMIT = 24 * HOUR
export const SESSION_LIFETIME = 30 * 24 * HOUR

export interface SessionState extends OperatorSession {
  readonly ended: boolean
  /** Whether it is one of an operator's account. */
  readonly operator: boolean
}

export interface TokenState {
  readonly issuedAt: Date
  readonly usedAt: Date | null
}

/** `rotate`: use up this token and every other branch. `fork`: the grace. `reuse`: end the session. The others: it is over. */
export type RefreshVerdict = 'rotate' | 'fork' | 'reuse' | 'refuse' | OperatorSessionEnd

/** @param now system time */
export function judgeRefresh(session: SessionState, token: TokenState, now: Date): RefreshVerdict {
  const instant = now.getTime()
  if (session.ended || instant - session.startedAt.getTime() > SESSION_LIFETIME) return 'refuse'
  const end = session.operator ? endOfOperatorSession(session, now) : null
  if (end !== null) return end
  if (token.usedAt !== null) return instant - token.usedAt.getTime() <= GRACE ? 'fork' : 'reuse'
  return instant - token.issuedAt.getTime() > IDLE_LIMIT ? 'refuse' : 'rotate'
}

/** How long a token issued now is exchanged. */
export function refreshUntil({ startedAt }: Pick<SessionState, 'startedAt'>, issuedAt: Date): Date {
  return new Date(Math.min(issuedAt.getTime() + IDLE_LIMIT, startedAt.getTime() + SESSION_LIFETIME))
}

/** Browsers change their user agent every few weeks, so devices are compared by name; unknown ones by the text itself. */
function markOf(userAgent: string): string {
  const { browser, system } = namesOfDevice(userAgent)
  return browser === null && system === null ? userAgent : `${browser ?? ''} ${system ?? ''}`
}

/** @param known user agents of earlier sign-ins; none for the very first one, which is never new */
export function isNewDevice(userAgent: string, known: readonly string[]): boolean {
  const mark = markOf(userAgent)
  return known.length > 0 && !known.some((each) => markOf(each) === mark)
}
