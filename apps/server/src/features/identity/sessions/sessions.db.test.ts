import type { TokenPair } from '@aval/contract'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import {
  accountFixture,
  FIREFOX,
  type MemberFixture,
  sessionIn,
  tokenOf,
  walletOf,
} from '../testing/member-fixture.ts'
import { endOtherSessions, endOwnSession, requireLiveSession } from './sessions.commands.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const { changed, get, headersOf, isLive, mails, member, post } = accountFixture(server)

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1'

/** @returns the tokens, and the number of the session */
async function signIn(who: MemberFixture, userAgent = FIREFOX, remoteAddress = '203.0.113.9') {
  const answer = await server.call({
    method: 'POST',
    url: '/api/auth/token/',
    payload: { email: who.email, password: TEST_PASSWORD },
    headers: { 'user-agent': userAgent },
    remoteAddress,
  })
  expect(answer).toAnswer(200)
  const { access, refresh }: TokenPair = answer.json()
  return { access, refresh, id: sessionIn(access) }
}
const renew = (refresh: string) => post('/api/auth/token/refresh/', { refresh })
const list = async (who: { access: string }, search = '') =>
  (await get(who, `/api/auth/sessions/${search}`)).json()
const events = async (who: { access: string }, search = '') =>
  (await get(who, `/api/auth/security-events/${search}`)).json()

describe('the list of sessions', () => {
  it('shows where a member is signed in, the asking one first, and nobody else’s', async () => {
    const [ana, bob] = [await member(), await member()]
    const first = await signIn(ana, CHROME, '198.51.100.7')
    const second = await signIn(ana, IPHONE, '2001:db8::1')
    await signIn(bob)
    const { results, count } = await list(first)
    expect(count).toBe(3)
    expect(results[0]).toEqual({
      id: first.id,
      current: true,
      device: { browser: 'Chrome', system: 'Windows' },
      ip: '198.51.100.7',
      started_at: expect.any(String),
      last_used_at: expect.any(String),
      two_factor: false,
      operator: false,
    })
    const device = { browser: 'Safari', system: 'iPhone' }
    expect(results[1]).toMatchObject({ id: second.id, current: false, device, ip: '2001:db8::1' })
    expect(await list(first, '?page=3&page_size=1')).toMatchObject({ total_pages: 3, count: 3 })
  })

  it('leaves out what ended, what was idle for a day, and what began a month ago', async () => {
    const ana = await member()
    const [here, out, idle] = [await signIn(ana), await signIn(ana), await signIn(ana)]
    const old = await signIn(ana)
    await post('/api/auth/logout/', { refresh: out.refresh })
    await query(db)`UPDATE refresh_token SET issued_at = issued_at - interval '25 hours'
      WHERE session_id = ${idle.id}::uuid`
    await query(db)`UPDATE session SET started_at = started_at - interval '31 days'
      WHERE member_id = ${ana.id} AND id = ${old.id}::uuid`
    const ids = (await list(here)).results.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([here.id, sessionIn(ana.access)])
  })

  it('says when a session was used last', async () => {
    const ana = await member()
    const pair = await signIn(ana)
    await query(db)`UPDATE refresh_token SET issued_at = issued_at - interval '1 hour'
      WHERE session_id = ${pair.id}::uuid`
    const usedAt = async () => Date.parse((await list(ana)).results[1].last_used_at)
    expect(Date.now() - (await usedAt())).toBeGreaterThan(3_500_000)
    await renew(pair.refresh)
    expect(Date.now() - (await usedAt())).toBeLessThan(600_000)
  })
})

describe('ending a session', () => {
  const end = (who: { access: string }, id: string) =>
    post(`/api/auth/sessions/${id}/end/`, {}, headersOf(who))
  const endOthers = async (who: MemberFixture) =>
    (await post('/api/auth/sessions/end-others/', {}, headersOf(who))).json()

  it('refuses its tokens from the next call on, and leaves the others', async () => {
    const ana = await member()
    const [here, there] = [await signIn(ana), await signIn(ana, CHROME)]
    expect(await end(here, there.id)).toAnswer(200, { message: 'The session has ended.' })
    expect(await isLive(there)).toBe(false)
    expect(await renew(there.refresh)).toAnswer(401)
    expect(await isLive(here)).toBe(true)
    expect((await list(here)).count).toBe(2)
    const audit = db.selectFrom('audit_event').select('action').where('actor_id', '=', ana.id)
    expect(await audit.where('action', '=', 'session.end').execute()).toHaveLength(1)
  })

  it('may be of the present one', async () => {
    const ana = await member()
    const here = await signIn(ana)
    expect(await end(here, here.id)).toAnswer(200)
    expect(await isLive(here)).toBe(false)
  })

  it('finds no other member’s, none that ended, and nothing that is none', async () => {
    const [ana, bob] = [await member(), await member()]
    const [bobs, gone] = [await signIn(bob), await signIn(ana)]
    await end(ana, gone.id)
    for (const id of [bobs.id, gone.id, '00000000-0000-4000-8000-000000000000', 'x', '1']) {
      expect(await end(ana, id)).toAnswer(404, 'That session is no longer open.')
    }
    expect(await isLive(bobs)).toBe(true)
  })

  it('happens once, however many end it at once', async () => {
    const ana = await member()
    const there = await signIn(ana)
    const answers = await Promise.all(Array.from({ length: 6 }, () => end(ana, there.id)))
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404, 404, 404])
  })

  it('is refused to a session that was ended meanwhile', async () => {
    const ana = await member()
    const [here, there] = [await signIn(ana), await signIn(ana)]
    const self = { memberId: ana.id, sessionId: here.id, device: { userAgent: '', ip: '' } }
    const require = () => db.transaction().execute((tx) => requireLiveSession(tx, self))
    await require()
    await end(there, here.id)
    const ended = { code: 'not_signed_in' }
    await expect(require()).rejects.toMatchObject(ended)
    await expect(endOwnSession(db, self, there.id, new Date())).rejects.toMatchObject(ended)
    await expect(endOtherSessions(db, self, new Date())).rejects.toMatchObject(ended)
    expect(await isLive(there)).toBe(true)
  })

  it('may be of all others', async () => {
    const [ana, bob] = [await member(), await member()]
    const others = [await signIn(ana), await signIn(ana, CHROME)]
    expect(await endOthers(ana)).toEqual({ message: 'Other sessions ended: 2.' })
    for (const other of others) expect(await isLive(other)).toBe(false)
    for (const who of [ana, bob]) expect(await isLive(who)).toBe(true)
    expect(await endOthers(ana)).toEqual({ message: 'No other session was open.' })
    expect((await events(ana)).results[0]).toMatchObject({ kind: 'sessions_ended', count: 2 })
  })
})

describe('signing out', () => {
  const out = (body: object | null, authorization?: string) =>
    post('/api/auth/logout/', body ?? {}, authorization === undefined ? {} : { authorization })

  it('ends the session of the refresh token, or of the access token where there is none', async () => {
    const ana = await member()
    const [first, second, third] = [await signIn(ana), await signIn(ana), await signIn(ana)]
    expect(await out({ refresh: first.refresh })).toAnswer(204)
    expect(await out({ refresh: null }, `Bearer ${second.access}`)).toAnswer(204)
    expect(await out(null, `Bearer ${third.access}`)).toAnswer(204)
    for (const { access, refresh } of [first, second, third]) {
      expect(await isLive({ access })).toBe(false)
      expect(await renew(refresh)).toAnswer(401)
    }
    expect(await isLive(ana)).toBe(true)
  })

  it('ends one session where both tokens are sent: the one of the refresh token', async () => {
    const ana = await member()
    const [named, other] = [await signIn(ana), await signIn(ana)]
    expect(await out({ refresh: named.refresh }, `Bearer ${other.access}`)).toAnswer(204)
    expect([await isLive(named), await isLive(other)]).toEqual([false, true])
  })

  it.each([undefined, 'Bearer null', 'Bearer a.b.c', 'Basic x'])('ends none of %s', async (authorization) => {
    expect(await out({ refresh: 'unknown' }, authorization)).toAnswer(204)
  })
})

describe('a sign-in', () => {
  it('from another device than before is an event, and an e-mail with a link to say that it was not me', async () => {
    const ana = await member()
    await signIn(ana, CHROME, '198.51.100.7')
    expect((await events(ana)).results[0]).toMatchObject({
      kind: 'signed_in_new',
      device: { browser: 'Chrome', system: 'Windows' },
      ip: '198.51.100.7',
    })
    expect(await mails(ana)).toMatchObject([
      { template: 'signed_in_new', to: ana.email, params: { notMeUrl: expect.any(String), device: CHROME } },
    ])
    await signIn(ana, CHROME.replace('140', '141'), '192.0.2.1')
    const [mail, ...more] = await mails(ana)
    expect(more).toEqual([])
    expect(await post('/api/auth/not-me/', { token: tokenOf(mail?.params['notMeUrl']) })).toAnswer(200)
    expect(await isLive(ana)).toBe(false)
  })

  it('is none when it is the first one ever', async () => {
    const ana = await member()
    await query(db)`DELETE FROM session WHERE member_id = ${ana.id}`
    expect((await events(await signIn(ana, CHROME))).results).toEqual([])
    expect(await mails(ana)).toEqual([])
  })
})

it('what happened to an account is listed for its member alone, the latest first, page by page', async () => {
  const [ana, bob] = [await member(), await member()]
  const [first, second] = [walletOf(31), walletOf(32)]
  for (const usdt_wallet of [first, second]) await changed(ana, { usdt_wallet })
  const { results, count } = await events(ana)
  expect(count).toBe(2)
  expect(results).toMatchObject([
    { kind: 'wallet_changed', previous: first, next: second, takes_back: false, by_operator: false },
    { kind: 'wallet_changed', previous: null, next: first },
  ])
  expect((await events(ana, '?page=2&page_size=1')).results[0].next).toBe(first)
  expect(await events(bob)).toMatchObject({ count: 0, results: [], total_pages: 1 })
  expect(await get(ana, '/api/auth/security-events/?page=2')).toAnswer(404)
})
