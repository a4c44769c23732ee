import { describe, expect, it } from 'vitest'
import { readTyped, secondsToWait, TRIES } from './second-factor.rules.ts'

describe('what is typed', () => {
  it.each([
    ['123456', 'totp', '123456'],
    [' 123 456 ', 'totp', '123456'],
    ['123-456', 'totp', '123456'],
    ['012345', 'totp', '012345'],
    ['abcde-fghjk', 'recovery', 'abcdefghjk'],
    ['ABCDE FGHJK', 'recovery', 'abcdefghjk'],
    ['23456-78923', 'recovery', '2345678923'],
  ])('%j is a %s', (typed, kind, text) => {
    expect(readTyped(typed)).toEqual({ kind, text })
  })

  it.each([
    '',
    ' ',
    '12345',
    '1234567',
    '12345a',
    '１２３４５６',
    '٠١٢٣٤٥',
    'abcde-fghjl',
    'abcdefghjk2',
    '+12345',
    '1e5000',
  ])('%j is no code at all', (typed) => {
    expect(readTyped(typed)).toBeNull()
  })
})

describe('tries', () => {
  const since = new Date('2026-05-01T12:00:00Z')
  const after = (milliseconds: number) => new Date(since.getTime() + milliseconds)

  it('are ten in a quarter of an hour; the eleventh waits for what is left of it', () => {
    expect(secondsToWait(1, since, since)).toBe(0)
    expect(secondsToWait(TRIES.limit, since, after(1000))).toBe(0)
    expect(secondsToWait(TRIES.limit + 1, since, since)).toBe(900)
    expect(secondsToWait(TRIES.limit + 1, since, after(899_500))).toBe(1)
    expect(secondsToWait(5000, since, after(60_000))).toBe(840)
  })
})
