import { describe, expect, it } from 'vitest'
import { parseNotice, spreadMs } from './events.rules.ts'
import { type Connection, Streams } from './streams.ts'

const HOLDER = { memberId: 1n, sessionId: 's', accessUntil: 1000 }

/** A connection that keeps what happens to it. @param unread bytes that its client has not taken yet */
function connection(unread = 0) {
  const log: string[] = []
  const kept = {
    writableLength: unread,
    write: (text: string) => log.push(text.startsWith('event') ? 'event' : 'other') > 0,
    end: () => log.push('end'),
    destroy: () => log.push('destroy'),
    once: () => undefined,
  }
  return { log, connection: kept as unknown as Connection }
}

describe('a stream whose client is behind', () => {
  it.each([
    ['reads', 0, 'end'],
    ['is behind', 10, 'destroy'],
  ])('when it %s, with %i bytes unread, ends by %s, and nothing waits for it', (_what, unread, how) => {
    const [stopped, expired] = [connection(unread), connection(unread)]
    const [one, other] = [new Streams(() => 0), new Streams(() => 2000)]
    one.open(HOLDER, stopped.connection)
    one.close()
    other.open(HOLDER, expired.connection)
    void other.refresh()
    for (const { log } of [stopped, expired]) expect(log).toEqual(['other', how])
    expect([one.size, other.size]).toEqual([0, 0])
  })

  it('is dropped from sixteen kilobytes on', () => {
    const [behind, lost] = [connection(16_384), connection(16_385)]
    const streams = new Streams(() => 0)
    for (const each of [behind, lost]) streams.open(HOLDER, each.connection)
    void streams.tell({ kind: 'money', ids: [1n] })
    expect([behind.log, lost.log]).toEqual([
      ['other', 'event'],
      ['other', 'destroy'],
    ])
    expect(streams.size).toBe(1)
  })

  it('that comes when the server stops is not opened', () => {
    const streams = new Streams(() => 0)
    streams.close()
    const late = connection()
    streams.open(HOLDER, late.connection)
    expect(late.log).toEqual(['end'])
  })
})

describe('a notice', () => {
  it.each([
    ['money 17-17', { kind: 'money', ids: [17n] }],
    ['money 1-65536', { kind: 'money', first: 1n, last: 65_536n }],
    ['withdrawals 5,9', { kind: 'withdrawals', ids: [5n, 9n] }],
    ['sessions 9223372036854775807', { kind: 'sessions', ids: [9_223_372_036_854_775_807n] }],
    ['refresh 1', null],
    ['toString 1', null],
    ['money', null],
    ['money 1-', null],
    ['money x', null],
    ['', null],
  ])('%j is read as it is meant', (payload, notice) => expect(parseNotice(payload)).toEqual(notice))

  it('to many is spread: a thousand a second, ten seconds at most', () => {
    expect([1, 700, 5000, 80_000].map(spreadMs)).toEqual([700, 700, 5000, 10_000])
  })
})
