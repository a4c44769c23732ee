import { describe, expect, it } from 'vitest'
import { judgePassword } from './strength.ts'

describe('the strength of a new password', () => {
  it.each([
    ['password1', 1, 'common'],
    ['P@ssw0rd', 1, 'common'],
    ['aaaaaaaaaaaa', 1, 'repeat'],
    ['abcdefghijk', 1, 'sequence'],
    ['qwertyuiop', 1, 'common'],
    ['12-05-1990', 1, 'date'],
    ['xkqvbmzp', 2, 'longer'],
    ['Sierra42kq', 2, 'common'],
    ['xkqvbmzpw', 3, null],
    ['nube-verde-9-Tren', 4, null],
  ] as const)('of %j is %i, with the advice %j', (password, level, advice) => {
    expect(judgePassword(password, [])).toEqual({ level, advice })
  })

  it('is little where it holds the own name, or the product’s', () => {
    expect(judgePassword('quispe2026', ['quispe'])).toEqual({ level: 1, advice: 'personal' })
    expect(judgePassword('aval2026', [])).toMatchObject({ advice: 'personal' })
    // Two letters stand in too many passwords.
    expect(judgePassword('nube-verde-9-Tren', ['en'])).toEqual({ level: 4, advice: null })
  })

  it('of a very long one is judged as fast', () => {
    expect(judgePassword('nube verde '.repeat(50), []).level).toBeGreaterThan(1)
  })
})
