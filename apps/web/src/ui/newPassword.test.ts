import { describe, expect, it } from 'vitest'
import { checkPassword, checkRepeat, isLongEnough, strengthOf } from './newPassword.ts'

describe('a new password', () => {
  it.each([
    ['', 'required'],
    ['1234567', 'short'],
    ['12345678', null],
    ['x'.repeat(20), null],
    ['x'.repeat(21), 'long'],
  ])('%j is judged as %j', (password, rule) => {
    expect(checkPassword(password)).toBe(rule)
    expect(isLongEnough(password)).toBe(rule === null)
  })

  it('is typed twice the same', () => {
    expect(checkRepeat('', 'a')).toBe('required')
    expect(checkRepeat('a', 'b')).toBe('differ')
    expect(checkRepeat('a', 'a')).toBeNull()
  })
})

describe('strengthOf', () => {
  it.each([
    ['', 0],
    ['short1', 1],
    ['aaaaaaaaaaaa', 1],
    ['password123', 1],
    ['abcdefgh', 2],
    ['Sierra42k', 3],
    ['nube-verde-9-Tren', 4],
  ] as const)('gives %j a %i', (password, strength) => {
    expect(strengthOf(password, [])).toBe(strength)
  })

  it('calls a password weak that holds the username or the e-mail', () => {
    expect(strengthOf('AnaPaz-2026!', ['anapaz'])).toBe(1)
    expect(strengthOf('AnaPaz-2026!', ['', 'ana'])).toBe(4)
  })
})
