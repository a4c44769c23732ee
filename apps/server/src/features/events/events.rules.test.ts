import { describe, expect, it } from 'vitest'
import { eventText, HEARTBEAT, openingText, parseNotice, REPLACED, spreadMs } from './events.rules.ts'

describe('a notice', () => {
  it.each([
    ['money 17-17', { kind: 'money', ids: [17n] }],
    ['money 1-65536', { kind: 'money', first: 1n, last: 65_536n }],
    ['withdrawals 5,9', { kind: 'withdrawals', ids: [5n, 9n] }],
    ['deposits 7', { kind: 'deposits', ids: [7n] }],
    ['sessions 9223372036854775807', { kind: 'sessions', ids: [9_223_372_036_854_775_807n] }],
    ['console 0', { kind: 'console', ids: [0n] }],
    ['refresh 1', null],
    ['toString 1', null],
    ['money', null],
    ['money 1-', null],
    ['money 1,', null],
    ['money 1 2', null],
    [' money 1', null],
    ['money x', null],
    ['money 12345678901234567890', null],
    ['', null],
  ])('%j is read as it is meant', (payload, notice) => expect(parseNotice(payload)).toEqual(notice))

  it('to many is spread: a thousand a second, ten seconds at most', () => {
    expect([1, 300, 380, 5000, 80_000].map(spreadMs)).toEqual([300, 300, 380, 5000, 10_000])
  })
})

it('an event is two lines and an empty one; a stream begins with a refresh and says when to come back', () => {
  expect(eventText('money', 300)).toBe('event: money\ndata: {"within_ms":300}\n\n')
  expect(openingText(400)).toBe('retry: 3000\nevent: refresh\ndata: {"within_ms":400}\n\n')
  expect(REPLACED).toBe('retry: 300000\nevent: replaced\ndata: {"within_ms":0}\n\n')
  expect(HEARTBEAT).toBe(': \n\n')
})
