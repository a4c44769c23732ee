import { describe, expect, it } from 'vitest'
import { EMAIL_CODE_LIFETIME } from '../../../core/email-code.rules.ts'
import {
  CODE_COUNT,
  type CodeTry,
  codeOf,
  judgeCode,
  maskEmail,
  readCode,
  type StoredCode,
} from './email-codes.rules.ts'

const made = new Date('2026-03-01T12:00:00Z')
const later = (ms: number) => new Date(made.getTime() + ms)

const stored = (overrides: Partial<StoredCode> = {}): StoredCode => ({
  binding: 'this',
  sentTo: 'ana@example.com',
  expiresAt: later(EMAIL_CODE_LIFETIME),
  wrongTries: 0,
  usedAt: null,
  ...overrides,
})
const tried = (overrides: Partial<CodeTry> = {}): CodeTry => ({
  matches: true,
  bindings: ['this'],
  email: 'ana@example.com',
  ...overrides,
})

describe('a code', () => {
  it.each([
    ['is right for what it was asked for', stored(), tried(), 0, 'right'],
    ['is right to its last millisecond', stored(), tried(), EMAIL_CODE_LIFETIME - 1, 'right'],
    ['is none after ten minutes', stored(), tried(), EMAIL_CODE_LIFETIME, 'none'],
    ['is none when it was used', stored({ usedAt: made }), tried(), 1, 'none'],
    ['is right after four wrong tries', stored({ wrongTries: 4 }), tried(), 1, 'right'],
    ['is none after five, though it be right', stored({ wrongTries: 5 }), tried(), 1, 'none'],
    ['is elsewhere once the e-mail is another', stored(), tried({ email: 'b@example.com' }), 1, 'elsewhere'],
    ['is elsewhere then, though used', stored({ usedAt: made }), tried({ email: 'b@b.co' }), 1, 'elsewhere'],
    ['is wrong by its digits', stored(), tried({ matches: false }), 1, 'wrong'],
    ['is wrong, whatever else', stored(), tried({ matches: false, bindings: ['that'] }), 1, 'wrong'],
    ['is not for something else', stored(), tried({ bindings: ['that', ''] }), 1, 'for_other'],
    ['is for one of several', stored({ binding: '' }), tried({ bindings: ['that', ''] }), 1, 'right'],
  ] as const)('%s', (_name, code, attempt, after, verdict) => {
    expect(judgeCode(code, attempt, later(after))).toBe(verdict)
  })

  it('that was never made is none', () => {
    expect(judgeCode(undefined, tried(), made)).toBe('none')
  })

  it('has seven digits for any draw', () => {
    expect(codeOf(0)).toBe('0000000')
    expect(codeOf(CODE_COUNT - 1)).toBe('9999999')
    expect(() => codeOf(CODE_COUNT)).toThrow()
  })

  it.each([
    ['1234567', '1234567'],
    [' 123 45-67 ', '1234567'],
    ['123', '0000123'],
    ['', null],
    ['12345678', null],
    ['12e4567', null],
    ['１２３４５６７', null],
  ])('is read from %j as %j', (typed, code) => {
    expect(readCode(typed)).toBe(code)
  })
})

it.each([
  ['ana@example.com', 'a…@example.com'],
  ['ñ@example.com', 'ñ…@example.com'],
])('the address %s is shown as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})
