import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const START = Date.parse('2026-09-01T08:00:00Z')
const listeners = new Map<string, (event: { isTrusted: boolean }) => void>()
const MARKED = { 'Aval-Background': '1' }

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers({ now: START })
  vi.stubGlobal('window', {
    addEventListener: (kind: string, listener: () => void) => listeners.set(kind, listener),
  })
})
afterEach(() => {
  listeners.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('what a page calls long after it was opened is marked', async () => {
  const { backgroundMark } = await import('./presence.ts')
  expect(backgroundMark()).toEqual({})
  vi.setSystemTime(START + 10_000)
  expect(backgroundMark()).toEqual({})
  vi.setSystemTime(START + 10_001)
  expect(backgroundMark()).toEqual(MARKED)
})

it.each(['pointerdown', 'keydown'])(
  'a %s makes the calls of the next ten seconds a person’s',
  async (kind) => {
    const { backgroundMark } = await import('./presence.ts')
    vi.setSystemTime(START + 60_000)
    listeners.get(kind)?.({ isTrusted: false })
    expect(backgroundMark()).toEqual(MARKED)
    listeners.get(kind)?.({ isTrusted: true })
    expect(backgroundMark()).toEqual({})
    vi.setSystemTime(START + 70_001)
    expect(backgroundMark()).toEqual(MARKED)
  },
)

it('every call carries the mark', async () => {
  const sent: unknown[] = []
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(init.headers)
    return Response.json({})
  })
  const { http } = await import('./http.ts')
  await http({ path: 'x/' }, null)
  vi.setSystemTime(START + 60_000)
  await http({ path: 'x/' }, null)
  expect(sent[0]).not.toHaveProperty('Aval-Background')
  expect(sent[1]).toMatchObject(MARKED)
})
