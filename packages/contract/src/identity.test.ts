import { describe, expect, it } from 'vitest'
import { newPassword } from './identity.ts'

describe('a new password', () => {
  it.each([
    ['small letters', 'solamente letras'],
    ['digits', '8412597306'],
    ['signs', '?!*+;:-_#'],
    ['spaces between words', 'a b c d e'],
    ['spaces alone', '         '],
    ['another script', '密码密码密码密码'],
    ['emoji', '🐢🐢🌵🌵🐢🐢🌵🌵'],
    ['128 characters', 'á'.repeat(128)],
  ])('may be made of %s, and stays as it is', (_what, password) => {
    expect(newPassword.parse(password)).toBe(password)
  })

  it.each(['1234567', 'á'.repeat(129), '\u0065\u0301'.repeat(7)])(
    'has 8 to 128 characters, unlike %.20j',
    (password) => {
      expect(newPassword.safeParse(password).success).toBe(false)
    },
  )
})
