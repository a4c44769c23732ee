import { describe, expect, it } from 'vitest'
import { publicName, REF_CODE_COUNT, readRefCode, refCodeOf } from './registration.rules.ts'

describe('a registration link', () => {
  it.each([
    ['0', { kind: 'root' }],
    ['1234567', { kind: 'member', code: '1234567' }],
    ['0000000', { kind: 'member', code: '0000000' }],
    ['', null],
    ['00', null],
    ['123456', null],
    ['12345678', null],
    ['123456a', null],
    ['１２３４５６７', { kind: 'member', code: '1234567' }],
    ['1234567\n', { kind: 'member', code: '1234567' }],
    ['0).', { kind: 'root' }],
    ['x0', null],
  ])('%j means %j', (text, expected) => {
    expect(readRefCode(text)).toEqual(expected)
  })

  it('carries seven digits for any draw', () => {
    for (const draw of [0, 1, REF_CODE_COUNT - 1]) expect(refCodeOf(draw)).toMatch(/^[1-9][0-9]{6}$/)
    for (const draw of [-1, 0.5, REF_CODE_COUNT]) expect(() => refCodeOf(draw)).toThrow(RangeError)
  })
})

it('shows strangers the first name, or the username where there is none', () => {
  expect(publicName({ first_name: 'Ana', username: 'ana1' })).toBe('Ana')
  expect(publicName({ first_name: '', username: 'ana1' })).toBe('ana1')
})
