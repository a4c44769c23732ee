import { describe, expect, it } from 'vitest'
import { isSent, RESET_LIFETIME, type StoredReset, withLiveCode } from './resets.rules.ts'

const start = Date.parse('2026-05-01T12:00:00Z')
const minute = (minutes: number) => new Date(start + minutes * 60_000)
const made = (minutes: number, more: Partial<StoredReset> = {}): StoredReset => ({
  madeAt: minute(minutes),
  expiresAt: new Date(minute(minutes).getTime() + RESET_LIFETIME),
  usedAt: null,
  wrongTries: 0,
  ...more,
})

describe('a request for a new password', () => {
  it.each([
    ['nothing was sent', [], 0, true],
    ['one was sent', [made(0)], 1, true],
    ['two were sent', [made(0), made(1)], 1, true],
    ['three were sent', [made(0), made(0), made(1)], 1, false],
    ['the last of three lapses in three minutes', [made(0), made(0), made(0)], 7, true],
    ['all three have lapsed', [made(0), made(0), made(0)], 10, true],
    ['a fourth was sent since', [made(0), made(0), made(0), made(7)], 8, false],
    [
      'all that was sent was used',
      [made(0), made(0), made(0)].map((reset) => ({ ...reset, usedAt: minute(1) })),
      2,
      true,
    ],
    ['an hour has passed', [made(0), made(0), made(0), made(56)], 60, true],
  ])('when %s', (_when, resets, now, sent) => {
    expect(isSent(resets, minute(now))).toBe(sent)
  })

  it('asked for every ten seconds is answered eleven times an hour, and what was sent is live throughout', () => {
    const sent: StoredReset[] = []
    for (let seconds = 0; seconds < 7200; seconds += 10) {
      const now = minute(seconds / 60)
      if (isSent(sent, now)) sent.push(made(seconds / 60))
      expect(sent.some(({ expiresAt }) => expiresAt.getTime() - now.getTime() >= 3 * 60_000)).toBe(true)
      const lastHour = sent.filter(({ madeAt }) => madeAt.getTime() > now.getTime() - 3_600_000)
      expect(lastHour.length).toBeLessThanOrEqual(11)
    }
  })
})

describe('a code', () => {
  it('is live beside others until it lapses, is used, or was tried wrongly five times', () => {
    const resets = [
      made(0),
      made(3, { wrongTries: 4 }),
      made(4, { wrongTries: 5 }),
      made(5, { usedAt: minute(5) }),
    ]
    expect(withLiveCode(resets, minute(9))).toEqual(resets.slice(0, 2))
    expect(withLiveCode(resets, minute(10))).toEqual(resets.slice(1, 2))
  })
})
