import type { TokenPair } from '@aval/contract'
import { connect } from '@aval/db'
import { createTestDatabase } from '@aval/db/testing'
import { describe, expect, inject, it } from 'vitest'
import { LIMITS } from '../../../core/limits.ts'
import { countOf, query, queryValue } from '../../../core/query.sql.ts'
import { createTestServer, someone, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { hashPassword, isPassword } from '../members/password-hash.ts'
import { purgeExpired } from '../purge.commands.ts'
import { ensureInstallation } from '../registration/installation.commands.ts'
import { ensureRoot, registerMember } from '../registration/registration.commands.ts'
import { accountFixture, processorRatio, startedWith, timePassing } from '../testing/member-fixture.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const { isLive, post } = accountFixture(server)
const wait = timePassing(server)
const member = someone()
// A hash of the real cost: what is compared below is the time that signing in takes.
const passwordHash = await hashPassword(TEST_PASSWORD)
await registerMember(db, { ...member, passwordHash, sponsorId: server.rootId }, new Date())

const signIn = (email: string, password = TEST_PASSWORD) => post('/api/auth/token/', { email, password })
const renew = (refresh: unknown) => post('/api/auth/token/refresh/', { refresh })
const begin = async (): Promise<TokenPair> => (await signIn(member.username)).json()

describe('signing in', () => {
  it('takes an e-mail or a username, in any case', async () => {
    const { username, email } = member
    for (const login of [username, username.toUpperCase(), email, email.toUpperCase(), ` ${email} `])
      expect(await signIn(login)).toAnswer(200)
  })

  it('stands in the audit trail: how, with what device, from which network; and no secret', async () => {
    const count = () => countOf(db)`audit_event WHERE action = 'session.begin'`
    const before = await count()
    await signIn(member.email, 'not-the-password')
    expect(await count()).toBe(before)
    expect(await signIn(member.email)).toAnswer(200)
    const memberId = await queryValue<bigint>(db)`SELECT max(id) FROM member`
    const [last] = await query(db)`SELECT actor_id, outcome, subject, details FROM audit_event
      WHERE action = 'session.begin' ORDER BY id DESC LIMIT 1`
    const details = { proved: 'password', browser: 'Firefox', system: 'Linux', network: '127.0.0.0/24' }
    expect(last).toEqual({ actor_id: memberId, outcome: 'done', subject: `member:${memberId}`, details })
  })

  it('answers the same whether the account or the password is wrong', async () => {
    const wrong = await signIn(member.username, 'not-the-password')
    const nobody = await signIn('nobody-at-all', 'not-the-password')
    expect(wrong).toAnswer(401)
    expect(nobody).toAnswer(401)
    expect(nobody.body).toBe(wrong.body)
  })

  it('takes a password however old it is, and asks for no other', async () => {
    const ago = new Date('2016-05-01T12:00:00Z')
    const old = someone()
    await registerMember(db, { ...old, passwordHash, sponsorId: server.rootId }, ago)
    const answer = await signIn(old.username)
    expect(answer).toAnswer(200)
    expect(Object.keys(answer.json()).sort()).toEqual(['access', 'refresh'])
  })

  it('is nobody’s as the account that every installation begins with', async () => {
    const empty = await createTestDatabase(inject('ownerUrl'))
    const connection = connect(empty.serverUrl)
    await ensureInstallation({ ...server.context, db: connection.db })
    await ensureRoot(connection.db, new Date())
    const members = await connection.db.selectFrom('member').selectAll().execute()
    expect(members).toMatchObject([{ is_operator: false, email: 'root@aval.invalid' }])
    const hash = members[0]?.password_hash ?? ''
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    for (const password of ['', 'root', 'admin', 'Aval', 'password', 'secret-password', hash])
      expect(await isPassword(hash, password)).toBe(false)
    await connection.close()
    await empty.drop()
  })

  it('costs the processor the same whether or not there is an account', async () => {
    const ratio = await processorRatio(
      9,
      (round) => signIn(`nobody${round}`, 'not-the-password'),
      () => signIn(member.username, 'not-the-password'),
    )
    expect(ratio).toBeGreaterThan(0.5)
    expect(ratio).toBeLessThan(2)
  })

  it.each([
    [{}],
    [{ email: member.email }],
    [{ email: member.email, password: 12345678 }],
    [{ email: ['a'], password: 'x' }],
    [{ email: { $ne: null }, password: { $ne: null } }],
  ])('with %j is refused as input', async (body) => {
    expect(await post('/api/auth/token/', body)).toAnswer(400)
  })

  it('with a NUL character is nobody', async () => {
    expect((await signIn('a\u0000b')).statusCode).toBeLessThan(500)
  })

  it('is stored by hash alone', async () => {
    const { refresh } = await begin()
    const tokens = db.selectFrom('refresh_token').select('token_hash')
    expect(await tokens.where('token_hash', '=', refresh).execute()).toEqual([])
  })
})

describe('a refresh', () => {
  it('gives two new tokens, time after time', async () => {
    let pair = await begin()
    for (let round = 0; round < 3; round += 1) {
      const next: TokenPair = (await renew(pair.refresh)).json()
      expect(next.access).not.toBe(pair.access)
      expect(next.refresh).not.toBe(pair.refresh)
      expect(Buffer.from(next.refresh, 'base64url')).toHaveLength(32)
      expect(await isLive(next)).toBe(true)
      pair = next
    }
  })

  it.each([
    ['null', { refresh: null }],
    ['the word null', { refresh: 'null' }],
    ['nothing', {}],
    ['an empty text', { refresh: '' }],
    ['an unknown token', { refresh: 'x'.repeat(43) }],
    ['a token of another make', { refresh: 'x'.repeat(900) }],
    ['no body', undefined],
    ['a body of null', 'null'],
  ])('with %s is 401', async (_name, body) => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/auth/token/refresh/',
      ...(body === undefined ? {} : { payload: body, headers: { 'content-type': 'application/json' } }),
    })
    expect(answer).toAnswer(401)
    expect(typeof answer.json()).toBe('string')
  })

  it('with a number is refused as input', async () => {
    expect(await renew(5)).toAnswer(400)
  })

  it('is refused after 24 hours without use', async () => {
    const pair = await begin()
    await wait(24 * 3600 + 1)
    expect(await renew(pair.refresh)).toAnswer(401)
  })

  it('is refused after 30 days, however often it was used', async () => {
    let pair = await begin()
    for (let day = 0; day < 31; day += 1) {
      await wait(23 * 3600)
      const answer = await renew(pair.refresh)
      expect(answer).toAnswer(200)
      pair = answer.json()
    }
    await wait(23 * 3600)
    expect(await renew(pair.refresh)).toAnswer(401)
  })
})

describe('a token used twice', () => {
  it('ends the whole session, the access tokens too', async () => {
    const first = await begin()
    const second: TokenPair = (await renew(first.refresh)).json()
    await wait(11)
    expect(await isLive(second)).toBe(true)
    expect(await renew(first.refresh)).toAnswer(401)
    expect(await isLive(second)).toBe(false)
    expect(await renew(second.refresh)).toAnswer(401)
  })

  it('ends no other session of the member', async () => {
    const other = await begin()
    const first = await begin()
    await renew(first.refresh)
    await wait(11)
    await renew(first.refresh)
    expect(await isLive(other)).toBe(true)
  })

  it('by two tabs within ten seconds gives each a pair', async () => {
    const first = await begin()
    const answers = await Promise.all([renew(first.refresh), renew(first.refresh), renew(first.refresh)])
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
    expect(new Set(answers.map((answer) => answer.json().refresh)).size).toBe(3)
    await wait(11)
    expect(await renew(answers[1]?.json().refresh)).toAnswer(200)
  })

  it('by a quick thief shows at the next renewal: the other branch is used up, and its use is reuse', async () => {
    const first = await begin()
    const mine: TokenPair = (await renew(first.refresh)).json()
    const stolen: TokenPair = (await renew(first.refresh)).json()
    await wait(300)
    const next: TokenPair = (await renew(mine.refresh)).json()
    await wait(300)
    expect(await renew(stolen.refresh)).toAnswer(401)
    expect(await isLive(next)).toBe(false)
  })
})

it('logging out ends the session at once, and is the same the second time', async () => {
  const pair = await begin()
  const answer = await post('/api/auth/logout/', { refresh: pair.refresh })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(await isLive(pair)).toBe(false)
  expect(await renew(pair.refresh)).toAnswer(401)
  for (const body of [{ refresh: pair.refresh }, { refresh: null }, {}])
    expect(await post('/api/auth/logout/', body)).toAnswer(204)
})

describe('attempts', () => {
  it('are limited by account and address, by address, and say when to come back', async () => {
    const points = (count: number) => ({ points: count, seconds: 60 })
    const limits = { ...LIMITS.devnet, signInByAccount: points(2), signInByAddress: points(4) }
    const { call, close } = await startedWith(server, { limits })
    const attempt = (email: string, remoteAddress = '203.0.113.1') => {
      const payload = { email, password: 'wrong-one' }
      return call({ method: 'POST', url: '/api/auth/token/', payload, remoteAddress })
    }
    const statuses: number[] = []
    for (const login of ['a', 'a', 'A', 'b', 'c']) statuses.push((await attempt(login)).statusCode)
    expect(statuses).toEqual([401, 401, 429, 401, 429])
    const refused = await attempt('d')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(refused.json()).toMatch(/^Demasiados intentos\. Espera \d+ segundos/)
    expect(await attempt('a', '203.0.113.2')).toAnswer(401)
    await close()
  })
})

describe('the purge', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 3600 * 1000)

  it('drops tokens older than any session, and no others', async () => {
    const pair = await begin()
    await purgeExpired(db, new Date())
    expect(await renew(pair.refresh)).toAnswer(200)
    await purgeExpired(db, inDays(31))
    expect(await db.selectFrom('refresh_token').select('token_hash').execute()).toEqual([])
  })

  it('drops sessions and codes that were over long ago, but the last session of each member', async () => {
    await begin()
    await begin()
    const memberId = await queryValue<bigint>(db)`SELECT id FROM member WHERE username = ${member.username}`
    // What let time pass above aged these, too.
    await query(db)`UPDATE session SET started_at = clock_timestamp()`
    await query(db)`INSERT INTO email_code (member_id, purpose, hash, binding, sent_to, made_at, expires_at)
      VALUES (${memberId}, 'profile', 'x', '', 'a@example.com', now(), now() + interval '10 minutes')`
    const count = async () => ({
      sessions: await countOf(db)`session WHERE member_id = ${memberId}`,
      codes: await countOf(db)`email_code`,
    })
    const before = await count()
    expect(before.sessions).toBeGreaterThan(1)
    await purgeExpired(db, inDays(80))
    expect(await count()).toEqual(before)
    await purgeExpired(db, inDays(100))
    expect(await count()).toEqual({ sessions: 1, codes: 0 })
  })
})
