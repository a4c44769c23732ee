import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Answer } from './http.ts'
import { isRenewalDue, RENEW_EVERY, Session, type SessionParts, type Tokens } from './session.ts'
import type { KeyValueStore } from './storage.ts'

type Renewal = Answer<Tokens>

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
/** Of all tabs where no cookie holds the refresh token, and of one tab. */
const stored = { session: 's1', refresh: 'r1' }
const ofTab = { session: 's1', access: 'a1', renew_at: String(START + RENEW_EVERY) }
/** Of all tabs where a cookie does. */
const inCookie = { session: 's1' }

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
  const renew = vi.fn<(refresh: string | null) => Promise<Renewal>>()
  let queue: Promise<unknown> = Promise.resolve()
  const alone = <Result>(task: () => Promise<Result>): Promise<Result> => {
    const result = queue.then(task)
    queue = result.catch(() => undefined)
    return result
  }
  const onRefused = vi.fn()
  const tabs = new Set<Session>()
  /** A tab of one browser: its messages reach the others. */
  const sessionOn = (store: KeyValueStore, tab = memoryStore(ofTab)): Session => {
    const share: SessionParts['share'] = (renewed) => {
      for (const each of tabs) if (each !== session) each.hear(renewed)
    }
    const session = new Session({ store, tab, now: () => now, renew, alone, share, onRefused })
    tabs.add(session)
    return session
  }
  /** One that finds these values stored. */
  const found = (values: Record<string, string> = stored, own: Record<string, string> = ofTab) => {
    const [store, tab] = [memoryStore(values), memoryStore(own)]
    return { store, tab, session: sessionOn(store, tab) }
  }

  beforeEach(() => {
    now = START
    tabs.clear()
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
    const { store, tab, session } = found()
    await session.start()
    expect(renew).toHaveBeenCalledWith('r1')
    expect(session.signedIn()).toBe(true)
    expect(store.get('refresh')).toBe('r2')
    expect([tab.get('access'), tab.get('renew_at')]).toEqual(['a2', String(START + 5 * 60 * 1000)])
  })

  it('whose refresh token a cookie holds stores none, and renews without', async () => {
    renew.mockResolvedValue({ data: { access: 'a2' } })
    const { store, tab, session } = found(inCookie, {})
    expect(await session.start()).toBe(true)
    expect(renew).toHaveBeenCalledWith(null)
    expect(session.signedIn()).toBe(true)
    expect(await session.access()).toBe('a2')
    expect([store.get('refresh'), store.get('access'), tab.get('refresh')]).toEqual([null, null, null])
  })

  it.each([[stored], [{ refresh: 'r1' }]])(
    'whose token is stored as %j moves it into the cookie',
    async (values) => {
      renew.mockResolvedValue({ data: { access: 'a2' } })
      const { store, session } = found(values)
      await session.start()
      expect(renew).toHaveBeenCalledWith('r1')
      expect(session.signedIn()).toBe(true)
      expect(store.get('refresh')).toBeNull()
      expect(session.isKept()).toBe(true)
    },
  )

  it('of a browser that no longer takes cookies keeps what it is given instead', async () => {
    const { store, session } = found(inCookie)
    await session.start()
    expect(store.get('refresh')).toBe('r2')
  })

  it('clears the tokens when the renewal is refused, and then sends none', async () => {
    renew.mockResolvedValue({ error: { status: 401 } })
    const { store, session } = found(stored, { ...ofTab, renew_at: String(START - 1) })
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
    [true, inCookie, ofTab],
    [false, {}, ofTab],
    [false, inCookie, {}],
    [false, { session: 's2' }, ofTab],
    [false, inCookie, { ...ofTab, access: 'a b' }],
    [false, inCookie, { ...ofTab, renew_at: String(START) }],
  ])('says %s of whether the token can be sent as it is, with %j and %j', (fresh, values, own) => {
    expect(found(values, own).session.isFresh()).toBe(fresh)
  })

  it('renews once for many requests at the same moment', async () => {
    const { session } = found()
    now = START + RENEW_EVERY
    const tokens = await Promise.all([session.access(), session.access(), session.access()])
    expect(tokens).toEqual(['a2', 'a2', 'a2'])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('renews once for two tabs on one store', async () => {
    const store = memoryStore(inCookie)
    now = START + RENEW_EVERY
    const tokens = await Promise.all([sessionOn(store).access(), sessionOn(store).access()])
    expect(tokens).toEqual(['a2', 'a2'])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it.each([[ofTab], [{}]])('renews once for two tabs that start at the same moment with %j', async (own) => {
    const store = memoryStore(inCookie)
    const both = [sessionOn(store, memoryStore(own)), sessionOn(store, memoryStore(own))]
    expect(await Promise.all(both.map((tab) => tab.start()))).toEqual([true, true])
    expect(both.map((tab) => tab.signedIn())).toEqual([true, true])
    expect(await Promise.all(both.map((tab) => tab.access()))).toEqual(['a2', 'a2'])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it('signs both out when the first of two tabs is refused', async () => {
    renew.mockResolvedValue({ error: { status: 401 } })
    const store = memoryStore(stored)
    const both = [sessionOn(store), sessionOn(store)]
    await Promise.all(both.map((tab) => tab.start()))
    expect(both.map((tab) => tab.signedIn())).toEqual([false, false])
    expect(renew).toHaveBeenCalledTimes(1)
  })

  it.each(['', 'a b', 'a\nb', 'ñandú', '\u0000', 'x'.repeat(5000)])(
    'renews rather than sends %j for a token',
    async (junk) => {
      expect(await found(inCookie, { ...ofTab, access: junk }).session.access()).toBe('a2')
    },
  )

  it.each(['', 'a b', 'ñandú', 'x'.repeat(5000)])('sends no stored %j for a refresh token', async (junk) => {
    await found({ ...stored, refresh: junk }).session.start()
    expect(renew).toHaveBeenCalledWith(null)
  })

  it.each([
    null,
    {},
    [],
    7,
    { refresh: 'r2' },
    { access: 'a2', refresh: 7 },
    { access: 7, refresh: 'r2' },
    { access: 'a 2', refresh: 'r2' },
  ])('keeps what it has when the answer is %j instead of tokens', async (answer) => {
    renew.mockResolvedValue({ data: answer as Tokens })
    const { store, tab, session } = found()
    expect(await session.start()).toBe(false)
    expect([tab.get('access'), store.get('refresh')]).toEqual(['a1', 'r1'])
  })

  it('says in the console what the catalogue of errors wants when a renewal is refused', async () => {
    renew.mockResolvedValue({ error: { status: 500 } })
    const { store, tab, session } = found()
    await session.start()
    expect(onRefused).toHaveBeenCalledTimes(1)
    expect([store.get('session'), tab.get('access')]).toEqual([null, null])
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
    expect(await session.access()).toBeNull()
    expect(listener).toHaveBeenCalledTimes(1)
  })

  it('follows a sign-in in another tab, and shows nothing of who was here before', async () => {
    const { store, session } = found()
    await session.start()
    const turns: (boolean | null)[] = []
    session.subscribe(() => turns.push(session.signedIn()))
    session.follow()
    expect(turns).toEqual([])
    // Signed out and in again before this tab heard of either.
    now += 1
    sessionOn(store).open({ access: 'b1' })
    session.follow()
    expect(turns).toEqual([false, true])
    expect(await session.access()).toBe('b1')
  })

  it('takes no renewal of a session that is not the one here', async () => {
    const { session } = found()
    session.hear({ session: 's2', access: 'b1', renewAt: now + 1000 })
    expect(await session.access()).toBe('a1')
  })

  it.each([
    [{ data: { access: 'a2' } }, null, false],
    [{ error: { status: 401 } }, null, false],
    [{ data: { access: 'a2' } }, 's2', true],
    [{ error: { status: 401 } }, 's2', true],
  ] as const)(
    'with a renewal %j that comes when the session is already %j stores nothing of it',
    async (answer, meanwhile, signedIn) => {
      const { store, tab, session } = found(inCookie)
      renew.mockImplementation(async () => {
        if (meanwhile === null) store.clear()
        else store.set('session', meanwhile)
        return answer
      })
      await session.start()
      expect([session.signedIn(), store.get('session')]).toEqual([signedIn, meanwhile])
      expect(tab.get('access')).toBe('a1')
      expect(session.isFresh()).toBe(false)
    },
  )

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
    session.hear({ session: 's1', access: 'a4', renewAt: now + 1000 })
    expect([session.refreshToken(), session.isKept()]).toEqual([null, false])
  })
})
