import { describe, expect, it } from 'vitest'
import { checkPassword, checkRepeat, isLongEnough } from './newPassword.ts'

describe('a new password', () => {
  it.each([
    ['', 'required'],
    ['1234567', 'short'],
    ['12345678', null],
    ['x'.repeat(128), null],
    ['x'.repeat(129), 'long'],
    ['e\u0301'.repeat(7), 'short'],
    ['😀'.repeat(128), null],
    ['e\u0301'.repeat(128), null],
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
