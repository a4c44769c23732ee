import { describe, expect, it } from 'vitest'
import {
  IDLE_LIMIT,
  isNewDevice,
  judgeRefresh,
  SESSION_LIFETIME as MONTH,
  refreshUntil,
} from './sessions.rules.ts'

const HOUR = 3_600_000
const start = new Date('2026-01-01T00:00:00Z')
const after = (milliseconds: number) => new Date(start.getTime() + milliseconds)
const session = { startedAt: start, actedAt: null, ended: false, operator: false }
const operator = { ...session, operator: true }
const acted = { ...operator, actedAt: new Date(start.getTime() + 8 * HOUR - 1) }
const fresh = { issuedAt: start, usedAt: null }
const used = { issuedAt: start, usedAt: start }
const ended = { ...session, ended: true }
const issuedAt = (milliseconds: number) => ({ issuedAt: after(milliseconds), usedAt: null })

describe('a refresh token', () => {
  it.each([
    ['is exchanged', session, fresh, after(0), 'rotate'],
    ['is exchanged up to 24 hours after it was issued', session, fresh, after(IDLE_LIMIT), 'rotate'],
    ['is refused later than that', session, fresh, after(IDLE_LIMIT + 1), 'refuse'],
    ['used ten seconds ago forks the session', session, used, after(10_000), 'fork'],
    ['used longer ago is reuse', session, used, after(10_001), 'reuse'],
    ['used and expired is still reuse', session, used, after(IDLE_LIMIT * 2), 'reuse'],
    ['of an ended session is refused', ended, fresh, after(0), 'refuse'],
    ['of an ended session has no grace', ended, used, after(1), 'refuse'],
    ['of a session of 30 days is exchanged', session, issuedAt(MONTH - 1), after(MONTH), 'rotate'],
    ['of an older session is refused', session, issuedAt(MONTH), after(MONTH + 1), 'refuse'],
    ['of an operator is exchanged', operator, fresh, after(HOUR / 2 - 1), 'rotate'],
    ['of an operator who did nothing is refused', operator, fresh, after(HOUR / 2), 'session_idle'],
    ['used twice gives an idle operator nothing', operator, used, after(HOUR / 2), 'session_idle'],
    ['of an operator is refused after 8 hours', acted, fresh, after(8 * HOUR), 'session_expired'],
  ] as const)('%s', (_name, state, token, now, verdict) => {
    expect(judgeRefresh(state, token, now)).toBe(verdict)
  })

  it.each([
    ['24 hours from now', after(0), after(IDLE_LIMIT)],
    ['no longer than its session', after(MONTH - 1), after(MONTH)],
  ])('is good for %s, to the millisecond', (_name, now, until) => {
    expect(refreshUntil(session, now)).toEqual(until)
    const token = { issuedAt: now, usedAt: null }
    expect(judgeRefresh(session, token, until)).toBe('rotate')
    expect(judgeRefresh(session, token, new Date(until.getTime() + 1))).toBe('refuse')
  })
})

describe('a sign-in', () => {
  const firefox = (version: number, system: string) =>
    `Mozilla/5.0 (${system}; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  const LINUX = 'X11; Linux x86_64'
  const WINDOWS = 'Windows NT 10.0; Win64; x64'

  it('is no news where there was none before', () => {
    expect(isNewDevice(firefox(140, LINUX), [])).toBe(false)
  })

  it('is no news from the same browser on the same system, whatever its version', () => {
    expect(isNewDevice(firefox(141, LINUX), ['node', firefox(140, LINUX)])).toBe(false)
  })

  it('is news from another browser, or on another system', () => {
    expect(isNewDevice(firefox(140, WINDOWS), [firefox(140, LINUX)])).toBe(true)
    expect(isNewDevice('curl/8.5.0', [firefox(140, LINUX)])).toBe(true)
  })

  it('distinguishes programs without a known name by what they send', () => {
    expect(isNewDevice('node', ['node'])).toBe(false)
    expect(isNewDevice('another program', ['node'])).toBe(true)
    expect(isNewDevice('', ['node'])).toBe(true)
  })
})
