import { describe, expect, it } from 'vitest'
import { strengthOf } from './strength.ts'

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
