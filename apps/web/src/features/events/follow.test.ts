import { getEventListeners, setMaxListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { follow } from './follow.ts'
import { STALE } from './stale.ts'
import { readBlock } from './stream.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const HEARTBEAT = ': \n\n'
const MONEY = [...STALE.money]

const eventText = (event: string, within: number) => `event: ${event}\ndata: {"within_ms":${within}}\n\n`

/** A stream that the test writes; `cut` breaks it. */
class ServerStream {
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined
  readonly body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      this.#controller = controller
    },
  })
  readonly aborted: AbortSignal

  constructor(aborted: AbortSignal) {
    this.aborted = aborted
    aborted.addEventListener('abort', () => this.cut())
  }

  write(text: string): void {
    this.#controller?.enqueue(new TextEncoder().encode(text))
  }

  say(text: string): Promise<unknown> {
    this.write(text)
    return vi.advanceTimersByTimeAsync(0)
  }

  tell = (event: string, within = 0) => this.say(eventText(event, within))

  close(): void {
    this.#controller?.close()
  }

  end(): Promise<unknown> {
    this.close()
    return vi.advanceTimersByTimeAsync(0)
  }

  cut(): void {
    try {
      this.#controller?.error(new Error('cut'))
    } catch {}
  }
}

interface Around {
  readonly hasLocks?: boolean
  /** What the server does with a stream that is opened. */
  readonly onOpen?: (stream: ServerStream) => void
}

/** One browser: a server that it reaches or not, locks, and a channel between its tabs. */
function browser({ hasLocks = true, onOpen = () => undefined }: Around = {}) {
  const streams: ServerStream[] = []
  const channels = new Set<{ onmessage: ((event: MessageEvent) => void) | null }>()
  const waiting: (() => void)[] = []
  let held = false
  const state = { reachable: true, isHeldBack: false, random: 0.5 }
  const calls = { made: 0, open: 0, mostOpen: 0 }

  const open = async (signal: AbortSignal) => {
    if (!state.reachable) throw new TypeError('Failed to fetch')
    calls.made += 1
    calls.open += 1
    calls.mostOpen = Math.max(calls.mostOpen, calls.open)
    signal.addEventListener('abort', () => (calls.open -= 1))
    if (state.isHeldBack)
      return new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new DOMException('given up', 'AbortError')))
      })
    const stream = new ServerStream(signal)
    streams.push(stream)
    onOpen(stream)
    return new Response(stream.body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
  }
  /** One holder at a time; the next is let in when the last one's task is over. */
  const request = async (_name: string, _options: unknown, task: () => Promise<void>) => {
    if (held) await new Promise<void>((resolve) => waiting.push(resolve))
    held = true
    await task()
    held = false
    waiting.shift()?.()
  }

  /** A tab, and what it asked for anew. */
  function tab() {
    const asked: (readonly string[])[] = []
    const ending = new AbortController()
    const channel = {
      onmessage: null as ((event: MessageEvent) => void) | null,
      postMessage: (data: unknown) => {
        for (const other of channels) if (other !== channel) other.onmessage?.({ data } as MessageEvent)
      },
      close: () => void channels.delete(channel),
    }
    channels.add(channel)
    follow(
      {
        open,
        channel,
        locks: hasLocks ? ({ request } as unknown as Pick<LockManager, 'request'>) : undefined,
        stale: (tags) => asked.push(tags),
        random: () => state.random,
      },
      ending.signal,
    )
    return { asked, ending: ending.signal, close: () => ending.abort() }
  }
  const stream = () => {
    const last = streams.at(-1)
    if (last === undefined) throw new Error('no stream was opened')
    return last
  }
  return { tab, state, calls, streams, stream }
}

const newPage = () => Object.assign(new EventTarget(), { visibilityState: 'visible' })
let page = newPage()
const show = (visibilityState: 'visible' | 'hidden') => {
  page.visibilityState = visibilityState
  page.dispatchEvent(new Event('visibilitychange'))
}
const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2026, 10, 20) })
  page = newPage()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An open stream, and what a tab missed before is asked for. */
async function opened(options?: { hasLocks: boolean }) {
  const house = browser(options)
  const tab = house.tab()
  await pass(0)
  await house.stream().tell('refresh', 700)
  await pass(700)
  expect(tab.asked.splice(0)).toEqual([MONEY])
  return { ...house, first: tab }
}

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
    expect([first.asked, second.asked]).toEqual([[MONEY], [MONEY]])
  })

  it('that come later ask once for what they may have missed', async () => {
    const { tab, stream } = await opened()
    const second = tab()
    await stream().say(': \n\n')
    await stream().say(': \n\n')
    await pass(SECOND)
    expect(second.asked).toEqual([MONEY])
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
    expect(second.asked).toEqual([MONEY])
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
    expect(first.asked).toEqual([MONEY])
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
    expect(first.asked).toEqual(Array.from({ length: 144 }, () => MONEY))
  })
})

describe('after sleep', () => {
  /** The machine sleeps: its clock goes on, no timer does. */
  const sleep = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

  it('a page that is seen asks within seconds, and opens another stream than the one that fell silent', async () => {
    const { first, streams, stream } = await opened()
    await stream().say(HEARTBEAT)
    sleep(8 * HOUR)
    await pass(15 * SECOND)
    expect(first.asked.splice(0)).toEqual([MONEY])
    expect(streams[0]?.aborted.aborted).toBe(true)
    await pass(2 * SECOND)
    expect(streams).toHaveLength(2)
    await stream().tell('refresh', 700)
    await pass(700)
    expect(first.asked).toEqual([MONEY])
  })

  it('a page that comes into view asks at once, although nothing was heard meanwhile', async () => {
    const { first, streams } = await opened()
    show('hidden')
    sleep(8 * HOUR)
    show('visible')
    await pass(0)
    expect(first.asked).toEqual([MONEY])
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
    expect(first.asked).toEqual([MONEY])
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

  it('from the beginning, as behind something that holds it back, a stream is given up and tried again', async () => {
    const { tab, streams } = browser()
    const { asked } = tab()
    await pass(61 * SECOND)
    expect(streams[0]?.aborted.aborted).toBe(true)
    expect(asked).toEqual([MONEY])
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
