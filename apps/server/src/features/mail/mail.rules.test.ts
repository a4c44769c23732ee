import { describe, expect, it } from 'vitest'
import { isAddress, isTooLate, MOST_ATTEMPTS, nextTry, oneLine } from './mail.rules.ts'

describe('a message that was not taken', () => {
  const start = new Date('2026-05-03T15:00:00Z')
  const secondsAfter = (attempts: number) =>
    ((nextTry(attempts, start)?.getTime() ?? 0) - start.getTime()) / 1000

  it('is tried again within seconds first, then more rarely, at least four times an hour', () => {
    expect([1, 2, 3, 4, 7, 8, 9, 200].map(secondsAfter)).toEqual([5, 10, 20, 40, 320, 640, 900, 900])
  })

  it('is tried for three days at least, and not for ever', () => {
    let [at, attempts] = [start, 1]
    for (let next = nextTry(1, start); next !== null; next = nextTry(attempts, at))
      [at, attempts] = [next, attempts + 1]
    expect(attempts).toBe(MOST_ATTEMPTS)
    const days = (at.getTime() - start.getTime()) / 86_400_000
    expect(days).toBeGreaterThan(3)
    expect(days).toBeLessThan(4)
  })
})

describe('a message with a code', () => {
  const made = new Date('2026-05-03T15:00:00Z')

  it('is too late as soon as the code is no longer good', () => {
    expect(isTooLate(true, made, new Date('2026-05-03T15:09:59.999Z'))).toBe(false)
    expect(isTooLate(true, made, new Date('2026-05-03T15:10:00Z'))).toBe(true)
  })

  it('alone is ever too late', () => {
    expect(isTooLate(false, made, new Date('2026-05-05T15:00:00Z'))).toBe(false)
  })
})

describe('an address', () => {
  it.each([['ana@example.com'], ["o'hara+x@sub.example.co"], ['josé@correo.example'], ['用户@例子.example']])(
    'may be %s',
    (text) => expect(isAddress(text)).toBe(true),
  )

  it.each([
    [''],
    ['ana'],
    ['@example.com'],
    ['ana@'],
    ['ana@example.com\r\nBcc: thief@example.com'],
    ['ana@example.com\n'],
    ['ana@example.com, thief@example.com'],
    ['ana@example.com;thief@example.com'],
    ['Ana <ana@example.com>'],
    ['ana@example.com> RCPT TO:<thief@example.com'],
    ['"ana"@example.com'],
    ['ana@exam ple.com'],
    ['ana@@example.com'],
    ['a\u0000na@example.com'],
    ['a\u202ena@example.com'],
    [`${'a'.repeat(65)}@example.com`],
  ])('is not %j', (text) => expect(isAddress(text)).toBe(false))
})

it('one line has no breaks, nothing invisible, and an end', () => {
  expect(oneLine(' a\r\n\tb\u2028c\u0007\u202e d ', 50)).toBe('a b c d')
  expect(oneLine('abcdef', 4)).toBe('abc…')
})
