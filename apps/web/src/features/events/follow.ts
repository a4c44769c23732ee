/**
 * Follows what changes, with one stream for all tabs of a browser: the tab that holds a lock leads, reads the stream and passes
 * on what it hears. Each tab then asks again, at a random moment, for what it shows. Loaded after the first paint; see decision 034.
 */
import type { MemberEvent } from '@aval/contract'
import { STALE, type Tag } from './stale.ts'
import { type Heard, readStream } from './stream.ts'

/** Milliseconds without a heartbeat, of which there is one every 25 s, after which a stream counts as blocked. */
const SILENT = 60_000
/** How often one looks whether it is; one does as well when the page comes into view. */
const LOOK = 15_000
/** How often a visible page asks by itself while it hears nothing. */
const POLL = 30_000
/** How long a tab that begins to hear waits at most before it asks for what it may have missed. */
const SOON = 700
/** Until the next try: twice as long after each failure. */
const RETRY = 2_000
const LONGEST_RETRY = 60_000
/** A stream that ends sooner has failed as well, but it was heard: the next one is tried as often as one would ask. */
const BRIEF = 20_000
/** Where the server ended the stream because the member has too many. */
const RETRY_REPLACED = 300_000

export interface Parts {
  /** Opens the stream; null where nobody is signed in. */
  readonly open: (signal: AbortSignal) => Promise<Response | null>
  /** Undefined where the browser has none: then each tab has a stream of its own. */
  readonly locks: Pick<LockManager, 'request'> | undefined
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'close' | 'onmessage'>
  readonly stale: (tags: readonly Tag[]) => void
  /** From 0 to 1. */
  readonly random: () => number
}

const isVisible = () => document.visibilityState === 'visible'

/** Milliseconds by the clock, which goes on while the machine sleeps. It may be set back meanwhile. */
const since = (moment: number) => Math.abs(Date.now() - moment)

/** Looks now and then, until it is ended: timers alone would not notice that the machine slept. */
function lookAgain(look: () => void, ending: AbortSignal): void {
  const timer = setInterval(look, LOOK)
  document.addEventListener('visibilitychange', look, { signal: ending })
  ending.addEventListener('abort', () => clearInterval(timer))
}

/** Gathers what became stale, and says so at a random moment; while nobody sees the page, once somebody does. */
function gather({ stale, random }: Parts, ending: AbortSignal) {
  const kinds = new Set<keyof typeof STALE>()
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = Number.POSITIVE_INFINITY
  const flush = () => {
    due = Number.POSITIVE_INFINITY
    if (kinds.size === 0 || !isVisible()) return
    const tags = [...kinds].flatMap((kind) => STALE[kind])
    kinds.clear()
    stale([...new Set(tags)])
  }
  document.addEventListener('visibilitychange', flush, { signal: ending })
  ending.addEventListener('abort', () => clearTimeout(timer))
  return (kind: MemberEvent, within: number) => {
    if (kind === 'replaced') return
    kinds.add(kind)
    const at = Date.now() + random() * within
    if (at >= due) return
    due = at
    clearTimeout(timer)
    timer = setTimeout(flush, at - Date.now())
  }
}

/** Reads one stream until it ends, breaks or falls silent. @returns the last that was heard; null where nothing was */
async function readOne(
  { open }: Parts,
  tell: (heard: Heard) => void,
  ending: AbortSignal,
): Promise<Heard | null> {
  const giving = new AbortController()
  const give = () => giving.abort()
  ending.addEventListener('abort', give)
  let heardAt = Date.now()
  lookAgain(() => {
    if (since(heardAt) >= SILENT) give()
  }, giving.signal)
  let last: Heard | null = null
  try {
    const response = await open(giving.signal)
    const isStream = response?.headers.get('content-type')?.startsWith('text/event-stream') === true
    if (!response?.ok || response.body === null || !isStream) return null
    await readStream(response.body, (heard) => {
      heardAt = Date.now()
      if (heard.kind !== 'heartbeat' || last === null) last = heard
      tell(heard)
    })
  } catch {
    // Offline, asleep, or cut: the next one is tried in any case.
  } finally {
    ending.removeEventListener('abort', give)
    give()
  }
  return last
}

/** Waits; for less where the browser comes back online. */
function pause(milliseconds: number, ending: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = new AbortController()
    const done = () => {
      clearTimeout(timer)
      over.abort()
      resolve()
    }
    const timer = setTimeout(done, milliseconds)
    window.addEventListener('online', done, { signal: over.signal })
    ending.addEventListener('abort', done, { signal: over.signal })
  })
}

/** Reads one stream after the other, for as long as this tab leads. */
async function lead(parts: Parts, tell: (heard: Heard) => void, ending: AbortSignal): Promise<void> {
  let failures = 0
  while (!ending.aborted) {
    const began = Date.now()
    const last = await readOne(parts, tell, ending)
    failures = last === null || since(began) < BRIEF ? failures + 1 : 0
    const longest =
      last?.kind === 'replaced'
        ? RETRY_REPLACED
        : Math.min(last === null ? LONGEST_RETRY : POLL, RETRY * 2 ** Math.max(0, failures - 1))
    if (!ending.aborted) await pause(longest * (0.5 + parts.random() / 2), ending)
  }
}

/** From now on this tab asks again for what changed, until `ending` is aborted. */
export function follow(parts: Parts, ending: AbortSignal): void {
  const { channel, locks } = parts
  let heardAt = Date.now()
  let polledAt = 0
  let hears = false

  const hear = ({ kind, within }: Heard) => {
    heardAt = Date.now()
    if (!hears) changed('refresh', SOON)
    hears = true
    if (kind !== 'heartbeat') changed(kind, within)
  }
  const look = () => {
    if (since(heardAt) < SILENT) return
    hears = false
    if (since(polledAt) < POLL - LOOK / 2) return
    polledAt = Date.now()
    changed('refresh', 0)
  }
  // Looks before what was gathered is asked for when the page comes into view: once for both.
  lookAgain(look, ending)
  const changed = gather(parts, ending)
  const tell = (heard: Heard) => {
    channel.postMessage(heard)
    hear(heard)
  }

  channel.onmessage = ({ data }: MessageEvent<Heard>) => hear(data)
  ending.addEventListener('abort', () => channel.close())
  const leading = () => lead(parts, tell, ending)
  if (locks === undefined) void leading()
  // A lock that is forbidden is as good as none; one that was waited for until the end is no failure.
  else
    locks.request('aval-events', { signal: ending }, leading).catch(() => {
      if (!ending.aborted) void leading()
    })
}
