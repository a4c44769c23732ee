import { describe, expect, it } from 'vitest'
import { endOfOperatorSession, isActDue } from './operator-session.rules.ts'

const START = Date.parse('2026-09-01T08:00:00Z')
const after = (minutes: number, milliseconds = 0) => new Date(START + minutes * 60_000 + milliseconds)
const session = (actedAfter: number | null) => ({
  startedAt: after(0),
  actedAt: actedAfter === null ? null : after(actedAfter),
})

describe('a session of an operator', () => {
  it.each([
    ['never used', null, 30],
    ['used once', 100, 130],
    ['used a moment before its end', 29, 59],
  ])('%s is over 30 minutes after the last call of a person', (_what, acted, over) => {
    expect(endOfOperatorSession(session(acted), after(over, -1))).toBeNull()
    expect(endOfOperatorSession(session(acted), after(over))).toBe('session_idle')
  })

  it('is over 8 hours after the sign-in, however much it is used', () => {
    expect(endOfOperatorSession(session(479), after(480, -1))).toBeNull()
    expect(endOfOperatorSession(session(479), after(480))).toBe('session_expired')
  })

  it('is written to once a minute at most', () => {
    expect(isActDue(session(null), after(1, -1))).toBe(false)
    expect(isActDue(session(null), after(1))).toBe(true)
    expect(isActDue(session(5), after(6, -1))).toBe(false)
    expect(isActDue(session(5), after(6))).toBe(true)
  })
})
