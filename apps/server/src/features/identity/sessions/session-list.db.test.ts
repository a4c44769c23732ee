import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { features } from '../../../features.ts'
import { createTestServer, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import {
  FIREFOX,
  type MemberFixture,
  mailsTo,
  memberFixture,
  patch,
  walletOf,
} from '../testing/member-fixture.ts'
import { endOtherSessions, endOwnSession } from './sessions.commands.ts'

const server = await suiteFixture(createTestServer, features)

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile Safari/604.1'

interface Pair {
  access: string
  refresh: string
}
const at = (access: string) => ({ authorization: `Bearer ${access}`, 'accept-language': 'en' })
const get = (access: string, url: string) => server.call({ url, headers: at(access) })
const post = (access: string, url: string) => server.call({ method: 'POST', url, headers: at(access) })
const isLive = async ({ access }: { access: string }) =>
  (await get(access, '/api/auth/user/')).statusCode === 200

async function signIn(who: MemberFixture, userAgent = FIREFOX, remoteAddress = '203.0.113.9'): Promise<Pair> {
  const answer = await server.call({
    method: 'POST',
    url: '/api/auth/token/',
    payload: { email: who.email, password: TEST_PASSWORD },
    headers: { 'user-agent': userAgent },
    remoteAddress,
  })
  expect(answer.statusCode).toBe(200)
  return answer.json()
}
const renew = (refresh: string) =>
  server.call({ method: 'POST', url: '/api/auth/token/refresh/', payload: { refresh } })
const sessionIn = (access: string): string =>
  JSON.parse(Buffer.from(access.split('.')[1] ?? '', 'base64url').toString()).sid
const list = async (access: string, search = '') => (await get(access, `/api/auth/sessions/${search}`)).json()

describe('the list of sessions', () => {
  it('shows where a member is signed in, the asking one first, and nobody else’s', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const first = await signIn(ana, CHROME, '198.51.100.7')
    const second = await signIn(ana, IPHONE, '2001:db8::1')
    await signIn(bob)
    const { results, count } = await list(first.access)
    expect(count).toBe(3)
    expect(results[0]).toEqual({
      id: sessionIn(first.access),
      current: true,
      device: { browser: 'Chrome', system: 'Windows' },
      ip: '198.51.100.7',
      started_at: expect.any(String),
      last_used_at: expect.any(String),
      two_factor: false,
    })
    expect(results[1]).toMatchObject({
      id: sessionIn(second.access),
      current: false,
      device: { browser: 'Safari', system: 'iPhone' },
      ip: '2001:db8::1',
    })
    expect(await list(first.access, '?page=3&page_size=1')).toMatchObject({ total_pages: 3, count: 3 })
  })

  it('leaves out what ended, what was idle for a day, and what began a month ago', async () => {
    const ana = await memberFixture(server)
    const [here, out, idle, old] = [
      await signIn(ana),
      await signIn(ana),
      await signIn(ana),
      await signIn(ana),
    ]
    await server.call({ method: 'POST', url: '/api/auth/logout/', payload: { refresh: out.refresh } })
    const { db } = server.context
    await sql`UPDATE refresh_token SET issued_at = issued_at - interval '25 hours'
      WHERE session_id = ${sessionIn(idle.access)}::uuid`.execute(db)
    await sql`UPDATE session SET started_at = started_at - interval '31 days'
      WHERE member_id = ${ana.id} AND id = ${sessionIn(old.access)}::uuid`.execute(db)
    const ids = (await list(here.access)).results.map(({ id }: { id: string }) => id)
    expect(ids).toEqual([sessionIn(here.access), sessionIn(ana.access)])
  })

  it('tells when a session was used last', async () => {
    const ana = await memberFixture(server)
    const pair = await signIn(ana)
    await sql`UPDATE refresh_token SET issued_at = issued_at - interval '1 hour'
      WHERE session_id = ${sessionIn(pair.access)}::uuid`.execute(server.context.db)
    const usedAt = async () => Date.parse((await list(ana.access)).results[1].last_used_at)
    expect(Date.now() - (await usedAt())).toBeGreaterThan(3_500_000)
    await renew(pair.refresh)
    expect(Date.now() - (await usedAt())).toBeLessThan(600_000)
  })
})

describe('ending a session', () => {
  const end = (access: string, id: string) => post(access, `/api/auth/sessions/${id}/end/`)

  it('refuses its tokens from the next call on, and leaves the others', async () => {
    const ana = await memberFixture(server)
    const [here, there] = [await signIn(ana), await signIn(ana, CHROME)]
    const answer = await end(here.access, sessionIn(there.access))
    expect([answer.statusCode, answer.json()]).toEqual([200, { message: 'The session has ended.' }])
    expect(await isLive(there)).toBe(false)
    expect((await renew(there.refresh)).statusCode).toBe(401)
    expect(await isLive(here)).toBe(true)
    expect((await list(here.access)).count).toBe(2)
    const { rows } = await sql<{ action: string }>`SELECT action FROM audit_event
      WHERE actor_id = ${ana.id} AND action = 'session.end'`.execute(server.context.db)
    expect(rows).toHaveLength(1)
  })

  it('may be of the present one', async () => {
    const ana = await memberFixture(server)
    const here = await signIn(ana)
    expect((await end(here.access, sessionIn(here.access))).statusCode).toBe(200)
    expect(await isLive(here)).toBe(false)
  })

  it('finds no other member’s, none that ended, and nothing that is none', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const bobs = await signIn(bob)
    const gone = await signIn(ana)
    await end(ana.access, sessionIn(gone.access))
    for (const id of [
      sessionIn(bobs.access),
      sessionIn(gone.access),
      '00000000-0000-4000-8000-000000000000',
      'x',
      '1',
    ]) {
      const answer = await end(ana.access, id)
      expect([answer.statusCode, answer.json()]).toEqual([404, 'That session is no longer open.'])
    }
    expect(await isLive(bobs)).toBe(true)
  })

  it('happens once, however many end it at once', async () => {
    const ana = await memberFixture(server)
    const there = await signIn(ana)
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => end(ana.access, sessionIn(there.access))),
    )
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 404, 404, 404, 404, 404])
  })

  it('is refused to whoever was ended meanwhile', async () => {
    const ana = await memberFixture(server)
    const [here, there] = [await signIn(ana), await signIn(ana)]
    const device = { userAgent: '', ip: '' }
    const self = { memberId: ana.id, sessionId: sessionIn(here.access), device }
    await end(there.access, self.sessionId)
    const { db } = server.context
    const late = endOwnSession(db, self, sessionIn(there.access), new Date())
    await expect(late).rejects.toMatchObject({ code: 'not_signed_in' })
    await expect(endOtherSessions(db, self, new Date())).rejects.toMatchObject({ code: 'not_signed_in' })
    expect(await isLive(there)).toBe(true)
  })

  it('may be of all others', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const others = [await signIn(ana), await signIn(ana, CHROME)]
    const answer = await post(ana.access, '/api/auth/sessions/end-others/')
    expect(answer.json()).toEqual({ message: 'Other sessions ended: 2.' })
    for (const other of others) expect(await isLive(other)).toBe(false)
    expect(await isLive(ana)).toBe(true)
    expect(await isLive(bob)).toBe(true)
    const again = await post(ana.access, '/api/auth/sessions/end-others/')
    expect(again.json()).toEqual({ message: 'No other session was open.' })
    const { results } = (await get(ana.access, '/api/auth/security-events/')).json()
    expect(results[0]).toMatchObject({ kind: 'sessions_ended', count: 2 })
  })
})

describe('a sign-in', () => {
  const newest = async (who: MemberFixture) =>
    (await get(who.access, '/api/auth/security-events/')).json().results[0]

  it('from another device than before is an event, and an e-mail with a link for whoever it was not', async () => {
    const ana = await memberFixture(server)
    await signIn(ana, CHROME, '198.51.100.7')
    expect(await newest(ana)).toMatchObject({
      kind: 'signed_in_new',
      device: { browser: 'Chrome', system: 'Windows' },
      ip: '198.51.100.7',
    })
    expect(await mailsTo(server, ana.id)).toMatchObject([
      { template: 'signed_in_new', to: ana.email, params: { notMeUrl: expect.any(String), device: CHROME } },
    ])
    await signIn(ana, CHROME.replace('140', '141'), '192.0.2.1')
    expect(await mailsTo(server, ana.id)).toHaveLength(1)
    const { notMeUrl = '' } = (await mailsTo(server, ana.id))[0]?.params ?? {}
    const pressed = await server.call({
      method: 'POST',
      url: '/api/auth/not-me/',
      payload: { token: notMeUrl.split('/').at(-1) },
    })
    expect(pressed.statusCode).toBe(200)
    expect(await isLive(ana)).toBe(false)
  })

  it('is none when it is the first one ever', async () => {
    const ana = await memberFixture(server)
    await sql`DELETE FROM session WHERE member_id = ${ana.id}`.execute(server.connection.db)
    const again = { ...ana, ...(await signIn(ana, CHROME)) }
    expect(await newest(again)).toBeUndefined()
    expect(await mailsTo(server, ana.id)).toEqual([])
  })
})

describe('what happened to an account', () => {
  it('is told to its member alone, the latest first, page by page', async () => {
    const [ana, bob] = [await memberFixture(server), await memberFixture(server)]
    const [first, second] = [walletOf(31), walletOf(32)]
    for (const usdt_wallet of [first, second]) {
      await patch(server, ana, { usdt_wallet })
      const code = (await mailsTo(server, ana.id)).at(-1)?.params['code'] ?? ''
      await patch(server, ana, { usdt_wallet, secret_code: code })
    }
    const events = async (who: MemberFixture, search = '') =>
      (await get(who.access, `/api/auth/security-events/${search}`)).json()
    const { results, count } = await events(ana)
    expect(count).toBe(2)
    expect(results).toMatchObject([
      { kind: 'wallet_changed', previous: first, next: second, takes_back: false, by_operator: false },
      { kind: 'wallet_changed', previous: null, next: first },
    ])
    expect((await events(ana, '?page=2&page_size=1')).results[0].next).toBe(first)
    expect(await events(bob)).toMatchObject({ count: 0, results: [], total_pages: 1 })
    expect((await get(ana.access, '/api/auth/security-events/?page=2')).statusCode).toBe(404)
  })
})
