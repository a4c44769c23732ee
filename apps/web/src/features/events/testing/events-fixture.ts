/** A browser with its tabs and the streams that a server writes to it, for tests of what pages follow. */
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { follow } from '../follow.ts'
import { STALE, type Tag } from '../stale.ts'

export const SECOND = 1000
export const MINUTE = 60 * SECOND
export const HEARTBEAT = ': \n\n'
export const MONEY = [...STALE.money]
/** After a gap: whatever may have changed meanwhile. */
export const EVERYTHING = [...STALE.refresh]

export const eventText = (event: string, within: number) =>
  `event: ${event}\ndata: {"within_ms":${within}}\n\n`

/** A stream that the test writes; `cut` breaks it. */
export class ServerStream {
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
export function browser({ hasLocks = true, onOpen = () => undefined }: Around = {}) {
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

  /** A tab, and what it asked for again. */
  function tab() {
    const asked: (readonly Tag[])[] = []
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
export const show = (visibilityState: 'visible' | 'hidden') => {
  page.visibilityState = visibilityState
  page.dispatchEvent(new Event('visibilitychange'))
}
export const pass = (milliseconds: number) => vi.advanceTimersByTimeAsync(milliseconds)
/** The machine sleeps: its clock goes on, no timer does. Below zero the clock is set back. */
export const sleep = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

/** Each test has a page of its own, a clock that stands, and timers that `pass` turns. */
export function withPage(): void {
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
}

/** An open stream, and what a tab missed before is asked for. */
export async function opened(options?: { hasLocks: boolean }) {
  const house = browser(options)
  const tab = house.tab()
  await pass(0)
  await house.stream().tell('refresh', 700)
  await pass(700)
  expect(tab.asked.splice(0)).toEqual([EVERYTHING])
  return { ...house, first: tab }
}
