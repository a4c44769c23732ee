/** Two API processes on one database: what one has counted, spent or changed holds for the other. */
import { request } from 'node:http'
import type { TokenPair } from '@aval/contract'
import { type Challenge, solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { LIMITS } from './core/limits.ts'
import { countOf, query } from './core/query.sql.ts'
import { purgeLevels } from './features/identity/purge.commands.ts'
import { accountFixture, startedWith } from './features/identity/testing/member-fixture.ts'
import { createMoneyFixture } from './testing/money-fixture.ts'
import { TEST_PASSWORD, type TestServer } from './testing/server.ts'
import { suiteFixture } from './testing/suite.ts'

const money = await suiteFixture(createMoneyFixture, '2026-05-03T15:00:00Z')
const { server, db } = money
const accounts = accountFixture(server)
let one: TestServer
let other: TestServer
beforeAll(async () => {
  const start = () => startedWith(server, { limits: LIMITS.public, captcha: true })
  ;[one, other] = [await start(), await start()]
})
afterAll(async () => {
  for (const each of [one, other]) await each.close()
})

let addresses = 0
/** Somebody at an address of their own, who speaks to both. */
function visitor() {
  addresses += 1
  const remoteAddress = `203.0.${addresses}.7`
  const headers = { 'accept-language': 'en' }
  return {
    get: (to: TestServer, path: string) => to.call({ url: `/api/${path}`, remoteAddress, headers }),
    post: (to: TestServer, path: string, payload: object) =>
      to.call({ method: 'POST', url: `/api/${path}`, payload, remoteAddress, headers }),
  }
}

const { points } = LIMITS.public.availability

describe('a limit', () => {
  it('that was used up at one process is used up at the other', async () => {
    const eve = visitor()
    const ask = (to: TestServer) => eve.post(to, 'auth/availability/', { username: 'somebody' })
    const statuses: number[] = []
    for (let call = 0; call < points; call += 1) statuses.push((await ask(one)).statusCode)
    expect(statuses).toEqual(Array(points).fill(200))
    const refused = await ask(other)
    expect(refused).toAnswer(429)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(500)
    expect(await ask(one)).toAnswer(429)
    // Another address is another count.
    expect(await visitor().post(other, 'auth/availability/', { username: 'somebody' })).toAnswer(200)
  })

  it('taken at both at once lets through what it allows, and no more', async () => {
    const eve = visitor()
    const ask = (_: unknown, index: number) =>
      eve.post(index % 2 === 0 ? one : other, 'auth/availability/', { username: 'somebody' })
    const answers = await Promise.all(Array.from({ length: 2 * points }, ask))
    expect(answers.filter(({ statusCode }) => statusCode === 200)).toHaveLength(points)
  })

  it('on passwords of a member is ten tries for all processes, and forgotten by a right one', async () => {
    const ana = await accounts.member()
    const change = (to: TestServer, old: string) =>
      to.call({
        method: 'POST',
        url: '/api/auth/user/change-password/',
        payload: { current_password: old, password: 'another-long-secret', password2: 'another-long-secret' },
        headers: accounts.headersOf(ana),
      })
    const tries = async (many: number, old: string) => {
      const statuses: number[] = []
      for (let index = 0; index < many; index += 1)
        statuses.push((await change(index % 2 === 0 ? one : other, old)).statusCode)
      return statuses
    }
    expect(await tries(9, 'not-the-password')).not.toContain(429)
    expect(await tries(1, TEST_PASSWORD)).toEqual([200])
    const again = await tries(12, 'not-the-password')
    expect(again.filter((status) => status !== 429)).toHaveLength(10)
  })

  it('is kept as a hash that names nobody, and thrown away when it is over', async () => {
    await visitor().post(one, 'auth/availability/', { username: 'somebody' })
    const keys = await query<{ key: string }>(db)`SELECT key FROM call_count`
    expect(keys.length).toBeGreaterThan(0)
    for (const { key } of keys) expect(key).toMatch(/^[\w-]{43}$/)
    await purgeLevels(server.worker.db, new Date())
    expect(await countOf(db)`call_count`).toBe(keys.length)
    await purgeLevels(server.worker.db, new Date(Date.now() + 3_700_000))
    expect(await countOf(db)`call_count`).toBe(0)
  })
})

it('a captcha that one process took is spent at the other', async () => {
  const bea = visitor()
  const challenge: Challenge = (await bea.get(one, 'auth/captcha/')).json()
  const solution = await solveChallenge({ challenge, deriveKey })
  const captcha = Buffer.from(JSON.stringify({ challenge, solution })).toString('base64')
  const register = (to: TestServer, username: string) =>
    bea.post(to, 'auth/register/0/', {
      username,
      email: `${username}@example.com`,
      password: TEST_PASSWORD,
      password2: TEST_PASSWORD,
      captcha,
    })
  expect(await register(one, 'captchaone')).toAnswer(201)
  expect(await register(other, 'captchatwo')).toAnswer(422)
})

describe('a refresh token', () => {
  const renew = (to: TestServer, refresh: string) => visitor().post(to, 'auth/token/refresh/', { refresh })

  it('that one process exchanged ends the session at the other, later than two tabs would send it', async () => {
    const ana = await accounts.member()
    const opened = await visitor().post(one, 'auth/token/', { email: ana.email, password: TEST_PASSWORD })
    const { refresh }: TokenPair = opened.json()
    expect(await renew(one, refresh)).toAnswer(200)
    // Two tabs of one browser, each served by another process.
    const sibling = await renew(other, refresh)
    expect(sibling).toAnswer(200)
    await query(server.owner.db)`UPDATE refresh_token SET used_at = used_at - interval '1 minute'
      WHERE member_id = ${ana.id} AND used_at IS NOT NULL`
    expect(await renew(other, refresh)).toAnswer(401)
    const { access }: TokenPair = sibling.json()
    const me = (to: TestServer) =>
      to.call({ url: '/api/auth/user/', headers: { authorization: `Bearer ${access}` } })
    expect(await me(one)).toAnswer(401)
    expect(await me(other)).toAnswer(401)
  })
})

it('a call repeated at the other process under its Idempotency-Key gets the same answer', async () => {
  const ana = await accounts.member()
  const headers = { ...accounts.headersOf(ana), 'idempotency-key': 'one-and-the-same' }
  const payload = { amount: 500 }
  const invest = (to: TestServer) =>
    to.call({ method: 'POST', url: '/api/plans/create-investment-payment/', payload, headers })
  const [first, second] = [await invest(one), await invest(other)]
  expect(first).toAnswer(201)
  expect(second.body).toBe(first.body)
  expect(await countOf(db)`invoice WHERE member_id = ${ana.id}`).toBe(1)
})

it('what a member does at one process reaches a stream of the other', async () => {
  const ana = await accounts.member()
  const address = await other.api.listen({ port: 0, host: '127.0.0.1' })
  let heard = ''
  const asked = request(`${address}/api/core/events/`, { headers: accounts.headersOf(ana), agent: false })
  asked.on('response', (answer) => answer.setEncoding('utf8').on('data', (text) => (heard += text)))
  asked.on('error', () => undefined).end()
  await vi.waitFor(() => expect(heard).toContain('event: refresh'), { timeout: 240_000 })
  const payload = { amount: 500 }
  const invest = { method: 'POST', url: '/api/plans/create-investment-payment/', payload } as const
  await vi.waitFor(
    async () => {
      const listening = await query(server.owner.db)`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query = 'LISTEN member_notices' AND state = 'idle'`
      expect(listening).toHaveLength(1)
    },
    { timeout: 240_000 },
  )
  expect(await one.call({ ...invest, headers: accounts.headersOf(ana) })).toAnswer(201)
  await vi.waitFor(() => expect(heard).toContain('event: money'), { timeout: 240_000 })
  asked.destroy()
})
