import { describe, expect, it } from 'vitest'
import { type Connection, MOST_STREAMS, PARTS, Streams } from './streams.ts'

const HOLDER = { memberId: 1n, sessionId: 's', accessUntil: 1000, isOperator: false }

const MINUTE = 60_000
const TOKEN = 10 * MINUTE
const DAY = 24 * 60 * MINUTE

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

/** @param each second of a day, in milliseconds; a look follows */
function throughADay(streams: Streams, clock: { now: number }, each: () => void): void {
  for (; clock.now < DAY; clock.now += 1000) {
    each()
    streams.lookAfter()
  }
}

describe('a day', () => {
  it('of one page is a stream after the other, each until its token ends, and no more than one at a time', () => {
    const clock = { now: 0 }
    const streams = new Streams(() => clock.now)
    const opened: string[][] = []
    throughADay(streams, clock, () => {
      if (streams.size > 0) return
      const { log, connection: page } = connection()
      streams.open({ ...HOLDER, accessUntil: clock.now + TOKEN }, page)
      expect(streams.holders(null)).toHaveLength(1)
      opened.push(log)
    })
    // Ended when it is looked at: 25 s after its token at the latest.
    const last = opened.pop()
    expect(opened.length).toBeGreaterThanOrEqual(DAY / (TOKEN + PARTS * 1000) - 1)
    expect(opened.length).toBeLessThanOrEqual(DAY / TOKEN)
    for (const log of opened) {
      const beats = log.slice(1, -1)
      expect([log[0], log.at(-1)]).toEqual(['other', 'end'])
      expect(beats.length).toBeGreaterThanOrEqual(TOKEN / 1000 / PARTS - 1)
      expect(beats.length).toBeLessThanOrEqual(TOKEN / 1000 / PARTS + 1)
      expect(new Set(beats)).toEqual(new Set(['other']))
    }
    expect(last?.at(-1)).toBe('other')
    expect(streams.size).toBe(1)
  })

  it('of one stream, were its token good for so long, is a heartbeat every 25 s and nothing else', () => {
    const clock = { now: 0 }
    const streams = new Streams(() => clock.now)
    const { log, connection: page } = connection()
    streams.open({ ...HOLDER, accessUntil: 2 * DAY }, page)
    throughADay(streams, clock, () => undefined)
    expect(log).toHaveLength(1 + DAY / 1000 / PARTS)
    expect(new Set(log)).toEqual(new Set(['other']))
  })
})

it('of fifty browsers of one member the eight that came last have a stream; another member loses none', () => {
  const streams = new Streams(() => 0)
  const [bystander, ...fifty] = Array.from({ length: 51 }, () => connection())
  if (bystander === undefined) throw new Error('no connection')
  streams.open({ ...HOLDER, memberId: 2n }, bystander.connection)
  for (const browser of fifty) streams.open(HOLDER, browser.connection)
  expect(streams.size).toBe(MOST_STREAMS + 1)
  const [replaced, kept] = [fifty.slice(0, -MOST_STREAMS), fifty.slice(-MOST_STREAMS)]
  // Each hears why before it ends.
  for (const { log } of replaced) expect(log).toEqual(['other', 'other', 'end'])
  for (const { log } of [bystander, ...kept]) expect(log).toEqual(['other'])
  void streams.tell({ kind: 'money', ids: [1n, 2n] })
  for (const { log } of [bystander, ...kept]) expect(log).toEqual(['other', 'event'])
  for (const { log } of replaced) expect(log).toHaveLength(3)
})

describe('what operators work on', () => {
  it('reaches operators alone, within a second, and however much happens once in two', () => {
    const [member, operator] = [connection(), connection()]
    const streams = new Streams(() => 0)
    streams.open(HOLDER, member.connection)
    streams.open({ ...HOLDER, memberId: 2n, isOperator: true }, operator.connection)
    const events = () => operator.log.filter((each) => each === 'event').length
    streams.tellOperators()
    expect(events()).toBe(0)
    streams.lookAfter()
    expect(events()).toBe(1)
    for (let second = 1; second <= 10; second += 1) {
      for (let change = 0; change < 100; change += 1) streams.tellOperators()
      streams.lookAfter()
    }
    expect(events()).toBe(6)
    // Nothing happens any more: that was all.
    for (let second = 0; second < 10; second += 1) streams.lookAfter()
    expect(events()).toBe(6)
    expect(member.log).not.toContain('event')
  })
})

it('a notice to a range of members reaches both its ends and nobody outside', async () => {
  const streams = new Streams(() => 0)
  const members = [9n, 10n, 15n, 20n, 21n]
  const all = members.map((memberId) => {
    const { log, connection: made } = connection()
    streams.open({ ...HOLDER, memberId }, made)
    return log
  })
  await streams.tell({ kind: 'money', first: 10n, last: 20n })
  expect(members.filter((_, index) => all[index]?.includes('event'))).toEqual([10n, 15n, 20n])
})
