import { describe, expect, it, vi } from 'vitest'
import { readBlock } from './stream.ts'
import {
  browser,
  EVERYTHING,
  MONEY,
  opened,
  pass,
  SECOND,
  show,
  sleep,
  withPage,
} from './testing/events-fixture.ts'

withPage()

describe('a notice', () => {
  it('is followed at a random moment within the time that it gives, and by its own answers alone', async () => {
    const { stream, first, state } = await opened()
    state.random = 0.4
    await stream().tell('withdrawals', 700)
    await pass(279)
    expect(first.asked).toEqual([])
    await pass(1)
    expect(first.asked).toEqual([['Withdrawals']])
  })

  it('that is meant for many waits for longer, and one for oneself does not wait for it', async () => {
    const { stream, first } = await opened()
    await stream().tell('money', 10 * SECOND)
    await pass(4 * SECOND)
    expect(first.asked).toEqual([])
    await stream().tell('withdrawals', 700)
    await pass(350)
    expect(first.asked).toEqual([MONEY])
    await pass(20 * SECOND)
    expect(first.asked).toHaveLength(1)
  })

  it('while nobody sees the page waits until somebody does', async () => {
    const { stream, first } = await opened()
    show('hidden')
    await stream().tell('money', 700)
    await stream().tell('money', 700)
    await pass(5 * SECOND)
    expect(first.asked).toEqual([])
    show('visible')
    expect(first.asked).toEqual([MONEY])
  })

  it('may arrive in pieces; what is not known is a sign of life', async () => {
    const { stream, first } = await opened()
    await stream().say('event: with')
    await stream().say('drawals\ndata: {"within_ms":0}\n')
    expect(first.asked).toEqual([])
    await stream().say('\n: \n\nevent: later\n\n')
    await pass(0)
    expect(first.asked).toEqual([['Withdrawals']])
    expect(readBlock('event: toString\ndata: {}')).toEqual({ kind: 'heartbeat', within: 0 })
    expect(readBlock('event: money\ndata: {"within_ms":999999999}').within).toBe(60 * SECOND)
  })
})

describe('tabs of one browser', () => {
  it('share one stream, and hear the same', async () => {
    const { tab, stream, streams, first } = await opened()
    const second = tab()
    await pass(0)
    expect(streams).toHaveLength(1)
    await stream().tell('money', 700)
    await pass(700)
    expect([first.asked, second.asked]).toEqual([[MONEY], [EVERYTHING]])
  })

  it('that come later ask once for what they may have missed', async () => {
    const { tab, stream } = await opened()
    const second = tab()
    await stream().say(': \n\n')
    await stream().say(': \n\n')
    await pass(SECOND)
    expect(second.asked).toEqual([EVERYTHING])
  })

  it('go on when the one that leads is closed: the next one opens the stream, and asks once', async () => {
    const { tab, stream, streams, first } = await opened()
    const second = tab()
    first.close()
    await pass(0)
    expect(streams).toHaveLength(2)
    expect(streams[0]?.aborted.aborted).toBe(true)
    await stream().tell('refresh', 700)
    await pass(700)
    expect(second.asked).toEqual([EVERYTHING])
    expect(first.asked).toEqual([])
  })

  it('have a stream each where the browser has no locks', async () => {
    const { tab, streams } = await opened({ hasLocks: false })
    tab()
    await pass(0)
    expect(streams).toHaveLength(2)
  })
})

describe('a stream that ends', () => {
  it('is opened again a moment later, and what was missed is asked for once', async () => {
    const { stream, streams, first } = await opened()
    await stream().end()
    await pass(2 * SECOND)
    expect(streams).toHaveLength(2)
    await stream().tell('refresh', 700)
    await pass(SECOND)
    expect(first.asked).toEqual([EVERYTHING])
  })

  it('because there are too many is not opened again for minutes', async () => {
    const { stream, streams } = await opened()
    await stream().tell('replaced')
    await stream().end()
    await pass(200 * SECOND)
    expect(streams).toHaveLength(1)
    await pass(30 * SECOND)
    expect(streams).toHaveLength(2)
  })

  it('and cannot be opened is tried less and less often, and at once when the browser is online again', async () => {
    const { stream, state, streams } = await opened()
    state.reachable = false
    stream().cut()
    await pass(200 * SECOND)
    state.reachable = true
    await pass(10 * SECOND)
    expect(streams).toHaveLength(1)
    window.dispatchEvent(new Event('online'))
    await pass(0)
    expect(streams).toHaveLength(2)
  })
})

describe('without a heartbeat', () => {
  it('the page asks by itself, now and then, while it is seen; and no more once it hears again', async () => {
    const { stream, streams, state, first } = await opened()
    await stream().say(': \n\n')
    state.reachable = false
    await pass(59 * SECOND)
    expect(first.asked).toEqual([])
    await pass(61 * SECOND)
    expect(streams[0]?.aborted.aborted).toBe(true)
    expect(first.asked.length).toBeGreaterThanOrEqual(2)
    expect(first.asked.length).toBeLessThanOrEqual(3)
    show('hidden')
    first.asked.length = 0
    await pass(300 * SECOND)
    expect(first.asked).toEqual([])
    show('visible')
    expect(first.asked).toEqual([EVERYTHING])
    state.reachable = true
    await pass(61 * SECOND)
    await stream().tell('refresh', 0)
    first.asked.length = 0
    for (let beat = 0; beat < 10; beat += 1) {
      await pass(25 * SECOND)
      await stream().say(': \n\n')
    }
    expect(first.asked.length).toBeLessThanOrEqual(1)
  })

  it('the page asks every 30 s, although its timers and its clock differ a little', async () => {
    const { tab, state } = browser()
    state.reachable = false
    const { asked } = tab()
    await pass(61 * SECOND)
    for (let count = 1; count <= 10; count += 1) {
      expect(asked).toHaveLength(count)
      sleep(-5)
      await pass(30 * SECOND)
    }
  })

  it('from the beginning, as behind something that holds it back, a stream is given up and tried again', async () => {
    const { tab, streams } = browser()
    const { asked } = tab()
    await pass(61 * SECOND)
    expect(streams[0]?.aborted.aborted).toBe(true)
    expect(asked).toEqual([EVERYTHING])
    await pass(5 * SECOND)
    expect(streams).toHaveLength(2)
  })

  it('nothing is left running when the pages of members are left', async () => {
    const { first, streams } = await opened()
    first.close()
    await pass(0)
    expect(streams[0]?.aborted.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
