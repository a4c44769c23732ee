import { describe, expect, it } from 'vitest'
import { belongsToField, isRecoveryCode, recoveryText } from './codes.ts'

describe('a refused code', () => {
  it.each([
    [{ status: 403, code: 'otp_invalid' }, true],
    [{ status: 403, code: 'otp_required' }, true],
    [{ status: 429, code: 'too_many_requests' }, true],
    [{ status: 409, code: 'two_factor_on' }, false],
    [{ status: 'FETCH_ERROR' as const }, false],
  ])('%j is said at the field: %j', (failure, at) => {
    expect(belongsToField(failure)).toBe(at)
  })
})

it('recovery codes are a file that every editor shows line by line', () => {
  expect(recoveryText('Aval · ana', 'Each works once.', ['abcde-fgh23', 'mnpqr-st456'])).toBe(
    'Aval · ana\r\n\r\nabcde-fgh23\r\nmnpqr-st456\r\n\r\nEach works once.\r\n',
  )
})

it.each([
  ['abcde-fgh23', true],
  ['ABCDE FGH23', true],
  ['abcdefgh23', true],
  ['123456', false],
  ['123 456', false],
  ['12345-67890', false],
  ['your code is 123456', false],
  ['', false],
])('%j is a recovery code: %j', (text, is) => {
  expect(isRecoveryCode(text)).toBe(is)
})
