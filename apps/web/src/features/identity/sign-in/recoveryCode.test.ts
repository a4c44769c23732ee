import { expect, it } from 'vitest'
import { isRecoveryCode } from './recoveryCode.ts'

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
