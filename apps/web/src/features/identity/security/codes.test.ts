import { describe, expect, it } from 'vitest'
import { belongsToField, recoveryText } from './codes.ts'

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
