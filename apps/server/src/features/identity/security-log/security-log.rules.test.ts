import { describe, expect, it } from 'vitest'
import { formerOf, lockOf, UNTIL_RESET } from './security-log.rules.ts'

const now = new Date('2026-03-02T12:00:00Z')
const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000)

describe('money', () => {
  it('leaves an account to which nothing happened', () => {
    expect(lockOf([], 24, now)).toBeNull()
  })

  const changes = ['wallet_changed', 'email_changed', 'password_changed', 'password_reset']
  it.each([...changes, 'two_factor_on', 'two_factor_off', 'passkey_added', 'passkey_removed'])(
    'stays in for a day after %s, and not a moment longer',
    (kind) => {
      expect(lockOf([{ kind, at: hoursAgo(23) }], 24, now)).toEqual({
        because: 'cooling',
        until: new Date('2026-03-02T13:00:00Z'),
      })
      expect(lockOf([{ kind, at: hoursAgo(24) }], 24, now)).toBeNull()
      expect(lockOf([{ kind, at: now }], 0, now)).toBeNull()
    },
  )

  it('waits for the latest of several changes', () => {
    const events = [
      { kind: 'email_changed', at: hoursAgo(20) },
      { kind: 'wallet_changed', at: hoursAgo(3) },
      { kind: 'password_changed', at: hoursAgo(10) },
    ]
    expect(lockOf(events, 24, now)?.until).toEqual(new Date('2026-03-03T09:00:00Z'))
  })

  it('is not kept in by a sign-in, a recovery code or a refused passkey', () => {
    const events = ['signed_in_new', 'recovery_code_used', 'passkey_refused'].map((kind) => ({
      kind,
      at: now,
    }))
    expect(lockOf(events, 24, now)).toBeNull()
  })

  it.each([0, 24])('stays in after "this was not me", with %i hours of cooling', (hours) => {
    const events = [
      { kind: 'not_me', at: hoursAgo(1000) },
      // The thief may know the password: changing it proves nothing.
      { kind: 'password_changed', at: hoursAgo(999) },
    ]
    expect(lockOf(events, hours, now)).toEqual({ because: 'not_me', until: UNTIL_RESET })
  })

  it('cools after the reset that follows "this was not me"', () => {
    const events = [
      { kind: 'not_me', at: hoursAgo(30) },
      { kind: 'password_reset', at: hoursAgo(20) },
    ]
    expect(lockOf(events, 24, now)).toEqual({ because: 'cooling', until: new Date('2026-03-02T16:00:00Z') })
    expect(lockOf(events, 20, now)).toBeNull()
  })
})

describe('what e-mail and wallet were', () => {
  it('is what the first change of each replaced', () => {
    const changes = [
      { kind: 'wallet_changed', details: { previous: 'T1', wallet: 'T2' } },
      { kind: 'email_changed', details: { previous: 'a@x.co', email: 'b@x.co' } },
      { kind: 'wallet_changed', details: { previous: 'T2', wallet: 'T3' } },
    ]
    expect(formerOf(changes)).toEqual({ email: 'a@x.co', wallet: 'T1' })
    expect(formerOf([])).toEqual({ email: null, wallet: null })
    expect(formerOf([{ kind: 'wallet_changed', details: null }])).toEqual({ email: null, wallet: null })
  })
})
