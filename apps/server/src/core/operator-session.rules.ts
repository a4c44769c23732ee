/**
 * How long a session of an operator's account lasts, whatever it calls. Members' sessions are in `sessions.rules.ts`.
 *
 * Terms. An *act* is a call that a person caused. A client that also calls by itself (polling, asking again after a notice) says so
 * with `Aval-Background: 1`; renewals of tokens and the stream of events are never acts.
 */
const MINUTE = 60_000
/** From the sign-in on, however much it is used. */
export const OPERATOR_LIFETIME = 8 * 60 * MINUTE
/** From the last act on. */
export const OPERATOR_IDLE = 30 * MINUTE
/** An act is written down when the one before is so old: once a minute at most. A session so ends up to a minute early, never late. */
const ACT_WRITTEN_EVERY = MINUTE

export interface OperatorSession {
  readonly startedAt: Date
  /** The last act that was written down; null where there was none since the sign-in. */
  readonly actedAt: Date | null
}

export type OperatorSessionEnd = 'session_idle' | 'session_expired'

const lastAct = ({ startedAt, actedAt }: OperatorSession) => (actedAt ?? startedAt).getTime()

/** Why a session of an operator is over; null while it is not. @param now system time */
export function endOfOperatorSession(session: OperatorSession, now: Date): OperatorSessionEnd | null {
  if (now.getTime() - session.startedAt.getTime() >= OPERATOR_LIFETIME) return 'session_expired'
  return now.getTime() - lastAct(session) >= OPERATOR_IDLE ? 'session_idle' : null
}

/** Whether an act at this moment is to be written down. */
export const isActDue = (session: OperatorSession, now: Date): boolean =>
  now.getTime() - lastAct(session) >= ACT_WRITTEN_EVERY
