import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from './http.ts'
import { isRenewalDue, RENEW_EVERY, Session } from './session.ts'
import type { KeyValueStore } from './storage.ts'

type Renewal = Answer<{ access: string; refresh: string }>

function memoryStore(initial: Record<string, string>): KeyValueStore {
  const values = new Map(Object.entries(initial))
  return {
    get: (key) => values.get(key) ?? null,
    set: (key, value) => void values.set(key, value),
    remove: (key) => void values.delete(key),
    clear: () => values.clear(),
  }
}

const START = 1_700_000_000_000
const stored = { access: 'a1', refresh: 'r1', renew_at: String(START + RENEW_EVERY) }

describe('isRenewalDue', () => {
  it('is due once the instant is reached, not before', () => {
    expect(isRenewalDue(String(START), START - 1)).toBe(false)
    expect(isRenewalDue(String(START), START)).toBe(true)
  })

  it.each([null, '', 'junk', '-1', 'NaN', '1e99'])('is due when %j is stored', (value) => {
    expect(isRenewalDue(value, START)).toBe(true)
  })

  it('is due when the clock was set back and the instant lies too far ahead', () => {
    expect(isRenewalDue(String(START + RENEW_EVERY + 1), START)).toBe(true)
  })
})

describe('a session', () => {
  let now = START
  const renew = vi.fn<(refresh: string) => Promise<Renewal>>()
  let queue: Promise<unknown> = Promise.resolve()
  const alone = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(task)
    queue = result.catch(() => undefined)
    return result
  }
  const onRefused = vi.fn()
  const sessionOn = (store: KeyValueStore) => new Session({ store, now: () => now, renew, alone, onRefused })
  /** One that finds these values stored. */
  const found = (values: Record<string, string> = stored) => {
    const store = memoryStore(values)
    return { store, session: sessionOn(store) }
  }

  beforeEach(() => {
    now = START
    onRefused.mockReset()
    renew.mockReset().mockResolvedValue({ data: { access: 'a2', refresh: 'r2' } })
  })

  it('starts signed out without a call when nothing is stored', async () => {
    const { session } = found({})
    expect(session.signedIn()).toBeNull()
    expect(await session.start()).toBe(true)
    expect(session.signedIn()).toBe(false)
    expect(renew).not.toHaveBeenCalled()
  })

  it('renews at start and keeps both new tokens for five minutes', async () => {
    const { store, session } = found()
    await session.start()
    expect(session.signedIn()).toBe(true)
    expect(store.get('refresh')).toBe('r2')
    expect(store.get('renew_at')).toBe(String(START + 5 * 60 * 1000))
  })

  it('clears the tokens when the renewal is refused, and then sends none', async () => {
    renew.mockResolvedValue({ error: { status: 401 } })
    const { store, session } = found({ ...stored, renew_at: String(START - 1) })
    expect(await session.access()).toBeNull()
    expect(store.get('refresh')).toBeNull()
    expect(session.signedIn()).toBe(false)
  })

  it('keeps the tokens when nobody answered, and decides nothing at start', async () => {
    renew.mockResolvedValue({ error: { status: 'FETCH_ERROR' } })
    const { store, session } = found()
    expect(await session.start()).toBe(false)
    expect(session.signedIn()).toBeNull()
    expect(store.get('refresh')).toBe('r1')
  })

  it('sends the stored token without a call while it is fresh', async () => {
    const { session } = found()
    expect(await session.access()).toBe('a1')
    expect(renew).not.toHaveBeenCalled()
  })

  it.each([
    [true, stored],
    [false, {}],
    [false, { ...stored, access: 'a b' }],
    [false, { ...stored, renew_at: String(START) }],
  ])('says %s of whether %j can be sent as it is', (fresh, values) => {
    expect(found(values).session.isFresh()).toBe(fresh)
  })

  it('renews once for many requests at the same moment', async () => {
    const { session } = found()
    now = START + RENEW_EVERY
    const tokens = await Promise.all([session.access(), session.access(), session.access()])
    expect(tokens).toEqual(['a2', 'a2', 'a2'])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('renews once for two tabs on one store', async () => {
    const store = memoryStore(stored)
    now = START + RENEW_EVERY
    const tokens = await Promise.all([sessionOn(store).access(), sessionOn(store).access()])
    expect(tokens).toEqual(['a2', 'a2'])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('renews once for two tabs that start at the same moment', async () => {
    const store = memoryStore(stored)
    const tabs = [sessionOn(store), sessionOn(store)]
    expect(await Promise.all(tabs.map((tab) => tab.start()))).toEqual([true, true])
    expect(tabs.map((tab) => tab.signedIn())).toEqual([true, true])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('signs both out when the first of two tabs is refused', async () => {
    renew.mockResolvedValue({ error: { status: 401 } })
    const store = memoryStore(stored)
    const tabs = [sessionOn(store), sessionOn(store)]
    await Promise.all(tabs.map((tab) => tab.start()))
    expect(tabs.map((tab) => tab.signedIn())).toEqual([false, false])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it.each(['', 'a b', 'a\nb', 'ñandú', '\u0000', 'x'.repeat(5000)])(
    'renews rather than sends %j for a token',
    async (junk) => {
      expect(await found({ ...stored, access: junk }).session.access()).toBe('a2')
    },
  )

  it.each([
    null,
    {},
    [],
    7,
    { access: 'a2' },
    { access: 7, refresh: 'r2' },
    { access: 'a 2', refresh: 'r2' },
  ])('keeps what it has when the answer is %j instead of tokens', async (answer) => {
    renew.mockResolvedValue({ data: answer as { access: string; refresh: string } })
    const { store, session } = found()
    expect(await session.start()).toBe(false)
    expect([store.get('access'), store.get('refresh')]).toEqual(['a1', 'r1'])
  })

  it('says in the console what the catalogue of errors wants when a renewal is refused', async () => {
    renew.mockResolvedValue({ error: { status: 500 } })
    const { store, session } = found()
    await session.start()
    expect(onRefused).toHaveBeenCalledTimes(1)
    expect(store.get('access')).toBeNull()
  })

  it('renews a token the server refused, unless another tab already has', async () => {
    const { session } = found()
    expect(await session.renewNow('a1')).toBe('a2')
    expect(await session.renewNow('a1')).toBe('a2')
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('calls its listeners and follows a sign-out in another tab', async () => {
    const { store, session } = found()
    await session.start()
    const listener = vi.fn()
    session.subscribe(listener)
    store.clear()
    session.follow()
    expect(session.signedIn()).toBe(false)
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('that is being left sends nobody anywhere, and keeps no tokens that come late', async () => {
    const { store, session } = found()
    await session.start()
    const listener = vi.fn()
    session.subscribe(listener)
    session.leave()
    store.clear()
    session.end()
    session.open({ access: 'a3', refresh: 'r3' })
    expect(listener).not.toHaveBeenCalled()
    expect(session.refreshToken()).toBeNull()
  })
})
