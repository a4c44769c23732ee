/** What pages follow, where the world is against it: days, sleep, too many browsers, and what stands in between. */
import { getEventListeners, setMaxListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import {
  browser,
  EVERYTHING,
  eventText,
  HEARTBEAT,
  MINUTE,
  opened,
  pass,
  SECOND,
  type ServerStream,
  show,
  sleep,
  withPage,
} from './testing/events-fixture.ts'

const HOUR = 60 * MINUTE

withPage()

describe('a stream that ends at once, again and again', () => {
  it('is opened less and less often; one that lasts is followed by the next at once', async () => {
    let lasts = false
    const { tab, streams, stream } = browser({
      onOpen: (opening) => {
        opening.write(eventText('refresh', 0))
        if (!lasts) opening.close()
      },
    })
    const { asked } = tab()
    await pass(10 * MINUTE)
    expect(streams.length).toBeLessThanOrEqual(35)
    expect(asked.length).toBeLessThanOrEqual(35)
    expect(streams.length).toBeGreaterThanOrEqual(20)
    lasts = true
    await pass(30 * SECOND)
    const { length } = streams
    await stream().end()
    await pass(2 * SECOND)
    expect(streams).toHaveLength(length + 1)
  })
})

describe('a member in fifty browsers', () => {
  it('whose server keeps eight streams has them change places now and then, and no storm', async () => {
    setMaxListeners(0, document, window)
    const seats: ServerStream[] = []
    const seat = (stream: ServerStream) => {
      stream.write(eventText('refresh', 700))
      seats.push(stream)
      stream.aborted.addEventListener('abort', () =>
        seats.splice(0, seats.length, ...seats.filter((each) => each !== stream)),
      )
      if (seats.length <= 8) return
      const oldest = seats.shift()
      oldest?.write(eventText('replaced', 0))
      oldest?.close()
    }
    const houses = Array.from({ length: 50 }, () => browser({ onOpen: seat }))
    const tabs = houses.map(({ tab, state }, index) => {
      state.random = index / 50
      return tab()
    })
    const opened = () => houses.reduce((sum, { streams }) => sum + streams.length, 0)
    await pass(0)
    for (let minute = 0; minute < 30; minute += 1) {
      const before = opened()
      for (let beat = 0; beat < 3; beat += 1) {
        for (const each of seats) each.write(HEARTBEAT)
        await pass(20 * SECOND)
      }
      if (minute < 2) expect(opened()).toBe(50)
      // 42 wait for two and a half to five minutes each; those that came together come again within a few.
      expect(opened() - before).toBeLessThanOrEqual(25)
    }
    expect(opened()).toBeLessThanOrEqual(50 + 42 * 12)
    // Who has no stream meanwhile asks twice a minute.
    for (const { asked } of tabs) expect(asked.length).toBeGreaterThanOrEqual(10)
    for (const { asked } of tabs) expect(asked.length).toBeLessThanOrEqual(31 * 2 + 15)
  })
})

describe('a page that is open for a day', () => {
  it('reads a stream after the other, each until its token ends, and gathers nothing', async () => {
    const { first, streams, stream, calls } = await opened()
    const listeners = () => [
      ...['visibilitychange', 'resume'].map((name) => getEventListeners(document, name).length),
      getEventListeners(window, 'online').length,
      getEventListeners(first.ending, 'abort').length,
      vi.getTimerCount(),
    ]
    const before = listeners()
    for (let count = 0; count < 144; count += 1) {
      for (let beat = 0; beat < 24; beat += 1) {
        await stream().say(HEARTBEAT)
        await pass(25 * SECOND)
      }
      await stream().end()
      await pass(2 * SECOND)
      await stream().tell('refresh', 700)
      await pass(700)
      expect(listeners()).toEqual(before)
    }
    expect(streams).toHaveLength(145)
    expect(calls.mostOpen).toBe(1)
    expect(first.asked).toEqual(Array.from({ length: 144 }, () => EVERYTHING))
  })
})

describe('after sleep', () => {
  it('a page that is seen asks within seconds, and opens another stream than the one that fell silent', async () => {
    const { first, streams, stream } = await opened()
    await stream().say(HEARTBEAT)
    sleep(8 * HOUR)
    await pass(15 * SECOND)
    expect(first.asked.splice(0)).toEqual([EVERYTHING])
    expect(streams[0]?.aborted.aborted).toBe(true)
    await pass(2 * SECOND)
    expect(streams).toHaveLength(2)
    await stream().tell('refresh', 700)
    await pass(700)
    expect(first.asked).toEqual([EVERYTHING])
  })

  it('a page that comes into view asks at once, although nothing was heard meanwhile', async () => {
    const { first, streams } = await opened()
    show('hidden')
    sleep(8 * HOUR)
    show('visible')
    await pass(0)
    expect(first.asked).toEqual([EVERYTHING])
    expect(streams[0]?.aborted.aborted).toBe(true)
    await pass(2 * SECOND)
    expect(streams).toHaveLength(2)
    expect(first.asked).toHaveLength(1)
  })

  it('that was short, the stream is kept and nothing is asked for', async () => {
    const { first, streams } = await opened()
    show('hidden')
    sleep(30 * SECOND)
    show('visible')
    await pass(SECOND)
    expect([first.asked, streams.length]).toEqual([[], 1])
  })

  it('and with a clock that was set back, a silent stream is noticed all the same', async () => {
    const { first, streams } = await opened()
    sleep(-8 * HOUR)
    await pass(75 * SECOND)
    expect(first.asked.length).toBeGreaterThanOrEqual(1)
    expect(streams[0]?.aborted.aborted).toBe(true)
  })
})

describe('behind something that keeps answers until they end', () => {
  it('a page asks twice a minute, has one call under way, and follows the stream once it is let through', async () => {
    const { tab, state, calls, streams, stream } = browser({
      onOpen: (opening) => opening.write(eventText('refresh', 0)),
    })
    state.isHeldBack = true
    const { asked } = tab()
    await pass(HOUR)
    expect(asked.length).toBeGreaterThanOrEqual(118)
    expect(asked.length).toBeLessThanOrEqual(120)
    expect(calls.mostOpen).toBe(1)
    expect(calls.made).toBeGreaterThanOrEqual(30)
    expect(calls.made).toBeLessThanOrEqual(45)

    state.isHeldBack = false
    const hearsFor = async (milliseconds: number) => {
      for (let passed = 0; passed < milliseconds; passed += 20 * SECOND) {
        streams.at(-1)?.write(HEARTBEAT)
        await pass(20 * SECOND)
      }
    }
    await hearsFor(2 * MINUTE)
    expect(streams).toHaveLength(1)
    asked.length = 0
    await hearsFor(10 * MINUTE)
    expect(asked).toEqual([])
    await stream().tell('withdrawals', 700)
    await pass(350)
    expect(asked).toEqual([['Withdrawals']])
  })
})
