import { describe, expect, it } from 'vitest'
import { checkEmail, checkPhone, checkUsername } from './registerRules.ts'

describe('registration rules', () => {
  it('want a username of 3 to 30 Latin letters, digits, dots, dashes or underscores', () => {
    expect(checkUsername(' ')).toBe('required')
    expect(checkUsername('ab')).toBe('username')
    expect(checkUsername('a b c')).toBe('username')
    expect(checkUsername('ñandú_99.x-y')).toBeNull()
    expect(checkUsername('n\u0303andu\u0301')).toBeNull()
    expect(checkUsername('vis\u0456tor')).toBe('username')
    expect(checkUsername('x'.repeat(31))).toBe('username')
  })

  it('want an e-mail that could exist', () => {
    expect(checkEmail('')).toBe('required')
    expect(checkEmail('ana@aval')).toBe('email')
    for (const email of [' ana@aval.app ', '\u200bana@aval.app\u00a0', 'ana\u2060@aval.app'])
      expect(checkEmail(email)).toBeNull()
    expect(checkEmail(`${'a'.repeat(65)}@aval.app`)).toBe('email')
  })

  it('take a telephone number as people write it, or none', () => {
    for (const phone of ['', '+57 (300) 123-4567', '+52 (55) 1234-5678']) expect(checkPhone(phone)).toBeNull()
    for (const phone of ['\u202a+57\u00a0300\u2011123\u00a04567\u202c', '＋５７３００１２３４５６７'])
      expect(checkPhone(phone)).toBeNull()
    for (const text of ['llámame', 'call me', '12345']) expect(checkPhone(text)).toBe('phone')
  })
})
