import { describe, expect, it } from 'vitest'
import { codeAt, encodeBase32, stepOfCode } from './totp.ts'

/** The secret of RFC 6238, appendix B; its codes there have eight digits, of which these are the last six. */
const SECRET = encodeBase32(Buffer.from('12345678901234567890'))

describe('a code', () => {
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at second %i is the one of the RFC', (second, code) => {
    expect(codeAt(SECRET, second * 1_000)).toBe(code)
  })

  const now = 2_000_000_000_000
  const present = Math.floor(now / 30_000)
  it.each([
    [-2, null],
    [-1, present - 1],
    [0, present],
    [1, present + 1],
    [2, null],
  ])('%i half minutes from now is of step %s', (steps, step) => {
    expect(stepOfCode(SECRET, codeAt(SECRET, now + steps * 30_000), now, 0)).toBe(step)
  })

  it('of a step that was used, or of one before, is none', () => {
    const code = codeAt(SECRET, now)
    expect(stepOfCode(SECRET, code, now, present - 1)).toBe(present)
    expect(stepOfCode(SECRET, code, now, present)).toBeNull()
    expect(stepOfCode(SECRET, codeAt(SECRET, now - 30_000), now, present)).toBeNull()
  })

  it.each(['', '12345', '1234567', '12345a', ' 279037', '279037\n'])('%j is none', (code) => {
    expect(stepOfCode(SECRET, code, now, 0)).toBeNull()
  })
})
