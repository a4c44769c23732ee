import type { LightMyRequestResponse } from 'fastify'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { callsIn, describeApi } from '../../../testing/described-api.ts'
import { codeOf, createTestServer, TEST_PASSWORD, type TestServer } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { addPasskey } from '../passkeys/passkeys.commands.ts'
import { accountFixture, startedWith, timePassing } from '../testing/member-fixture.ts'
import { answerOf, passkeyFixture } from '../testing/passkey-fixture.ts'
import { at, secondFactorFixture } from '../testing/second-factor-fixture.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const { isLive, member } = accountFixture(server)
const wait = timePassing(server)
const { begin, newAuthenticator, owner, register } = passkeyFixture(server)
const { actorOf, protectedMember } = secondFactorFixture(server)
const ana = await member()

type Headers = Readonly<Record<string, string>>
const OURS: Headers = { 'aval-app': 'web', 'sec-fetch-site': 'same-origin' }

async function post(url: string, payload: object, headers: Headers = {}, at: TestServer = server) {
  return at.call({ method: 'POST', url: `/api/auth/${url}`, payload, headers })
}
const signIn = (headers: Headers = OURS, at = server) =>
  post('token/', { email: ana.username, password: TEST_PASSWORD }, headers, at)
const renew = (cookie: string, headers: Headers = OURS, payload: object = {}, at = server) =>
  post('token/refresh/', payload, { ...headers, cookie }, at)

/** The session's cookie, as it is set. */
function setBy(answer: LightMyRequestResponse): string | undefined {
  const all = [answer.headers['set-cookie'] ?? []].flat()
  return all.find((cookie) => cookie.startsWith('__Host-aval-session-'))
}
/** As the browser sends it again. */
const cookieOf = (answer: LightMyRequestResponse) => setBy(answer)?.split(';')[0] ?? ''
const tokenOf = (answer: LightMyRequestResponse) => cookieOf(answer).split('=')[1] ?? ''

/** The access token stands alone in the body, and the other one where no script reads it. */
function expectHeld(answer: LightMyRequestResponse, status = 200): void {
  expect([answer.statusCode, Object.keys(answer.json())]).toEqual([status, ['access']])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(setBy(answer)).toMatch(
    /^__Host-aval-session-[\da-f]{12}=[\w-]{43}; Max-Age=\d+; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
  )
}

function expectCleared(answer: LightMyRequestResponse): void {
  expect(setBy(answer)).toMatch(
    /^__Host-aval-session-[\da-f]{12}=; Max-Age=0; HttpOnly; SameSite=Strict; Path=\/; Secure$/,
  )
}

/** A sign-in by each call that hands tokens out, under the call's path. */
const OPENINGS: Readonly<Record<string, (headers: Headers) => Promise<LightMyRequestResponse>>> = {
  '/api/auth/register/{ref_code}/': (headers) => {
    const username = `newcomer${Object.keys(headers).length}`
    const email = `${username}@example.com`
    const passwords = { password: 'Camello-verde-41', password2: 'Camello-verde-41' }
    return post('register/0/', { username, email, ...passwords, captcha: 'x' }, headers)
  },
  '/api/auth/token/': (headers) => signIn(headers),
  '/api/auth/otp/': async (headers) => {
    const { username, secret } = await protectedMember()
    const asked = await post('token/', { email: username, password: TEST_PASSWORD }, headers)
    expect(Object.keys(asked.json())).toEqual(['otp_required', 'otp_token'])
    expect(setBy(asked)).toBeUndefined()
    return post('otp/', { otp_token: asked.json().otp_token, code: codeOf(secret, new Date()) }, headers)
  },
  '/api/auth/passkey/': async (headers) => {
    const { memberId, authenticator } = await owner()
    const asked = (await post('passkey/begin/', {})).json()
    return post('passkey/', { credential: answerOf(authenticator, asked, { memberId }) }, headers)
  },
  '/api/auth/otp/passkey/': async (headers) => {
    const { username, memberId, secret } = await protectedMember()
    const actor = await actorOf(memberId)
    const authenticator = newAuthenticator()
    const credential = register(authenticator, await begin(actor, at(-600), codeOf(secret, at(-600))))
    await addPasskey(server.context, actor, { credential, name: 'Phone' }, at(-600))
    const step = (await post('token/', { email: username, password: TEST_PASSWORD }, headers)).json()
    const asked = (await post('otp/passkey/begin/', { otp_token: step.otp_token })).json()
    const answer = answerOf(authenticator, asked, { memberId })
    return post('otp/passkey/', { otp_token: step.otp_token, credential: answer }, headers)
  },
  '/api/auth/token/refresh/': async (headers) => {
    const { refresh } = (await signIn({})).json()
    return post('token/refresh/', { refresh }, headers)
  },
}

describe('a call that hands tokens out', () => {
  it('is known here', async () => {
    const handsOut = ({ operation }: { operation: object }) =>
      JSON.stringify(Reflect.get(operation, 'responses')).includes('"refresh":{"type":"string"')
    const paths = callsIn(await describeApi()).filter(handsOut)
    expect(paths.map(({ path }) => path).toSorted()).toEqual(Object.keys(OPENINGS).toSorted())
  })

  it.each(Object.entries(OPENINGS))(
    '%s puts the refresh token into a cookie for our own app',
    async (path, open) => {
      expectHeld(await open(OURS), path.includes('register') ? 201 : 200)
    },
  )

  it.each(Object.entries(OPENINGS))('%s answers both tokens to every other client', async (_path, open) => {
    for (const headers of [{}, { 'aval-app': 'phone' }]) {
      const answer = await open(headers)
      expect(Object.keys(answer.json())).toEqual(['access', 'refresh'])
      expect(answer.body).toMatch(/^\{"access":"[\w.-]+","refresh":"[\w-]{43}"\}$/)
      expect(setBy(answer)).toBeUndefined()
    }
  })

  it.each(['Web', 'web, web', ''])('takes %j for no header of ours', async (value) => {
    const answer = await signIn({ ...OURS, 'aval-app': value })
    expect(setBy(answer)).toBeUndefined()
    expect(Object.keys(answer.json())).toEqual(['access', 'refresh'])
  })
})

describe('the cookie', () => {
  it('lives as long as its token can be exchanged', async () => {
    const secondsOf = (answer: LightMyRequestResponse) =>
      Number(/Max-Age=(\d+)/.exec(setBy(answer) ?? '')?.[1])
    const first = await signIn()
    expect(secondsOf(first)).toBeGreaterThan(86_000)
    expect(secondsOf(first)).toBeLessThan(86_401)
    await wait(30 * 86_400 - 3600)
    await query(db)`UPDATE refresh_token SET issued_at = clock_timestamp() WHERE used_at IS NULL`
    const last = await renew(cookieOf(first))
    expect(secondsOf(last)).toBeGreaterThan(3000)
    expect(secondsOf(last)).toBeLessThan(3601)
  })

  it('is exchanged for another one, time after time', async () => {
    let held = await signIn()
    for (let round = 0; round < 3; round += 1) {
      const next = await renew(cookieOf(held))
      expectHeld(next)
      expect(tokenOf(next)).not.toBe(tokenOf(held))
      expect(await isLive(next.json())).toBe(true)
      held = next
    }
  })

  it('may be sent by two tabs within ten seconds; later it ends the whole session', async () => {
    const first = await signIn()
    const tabs = await Promise.all([renew(cookieOf(first)), renew(cookieOf(first))])
    for (const tab of tabs) expectHeld(tab)
    const last = await renew(cookieOf(tabs[1] ?? first))
    expectHeld(last)
    await wait(11)
    const reused = await renew(cookieOf(first))
    expect(reused).toAnswer(401)
    expectCleared(reused)
    expect(await isLive(last.json())).toBe(false)
    expect(await renew(cookieOf(last))).toAnswer(401)
  })

  it.each(['', `__Host-aval-session-${'0'.repeat(12)}=${'x'.repeat(43)}`, 'unknown', 'malformed'])(
    'that is no good (%j) is 401, and is cleared',
    async (kind) => {
      const name = cookieOf(await signIn()).split('=')[0]
      const values: Record<string, string> = {
        unknown: `${name}=${'x'.repeat(43)}`,
        malformed: `${name}="><script>`,
      }
      const answer = await renew(values[kind] ?? kind)
      expect(answer).toAnswer(401)
      expectCleared(answer)
    },
  )

  it('gives way to a token in the body of our own app, which moves into it', async () => {
    const { refresh } = (await signIn({})).json()
    const stale = cookieOf(await signIn())
    const moved = await renew(stale, OURS, { refresh })
    expectHeld(moved)
    await wait(11)
    expect(await renew(stale)).toAnswer(200)
    expect(await post('token/refresh/', { refresh })).toAnswer(401)
    expect(await isLive(moved.json())).toBe(false)
  })

  it('ends its session when our own app signs out, and is cleared', async () => {
    const held = await signIn()
    const out = await post('logout/', {}, { ...OURS, cookie: cookieOf(held) })
    expect([out.statusCode, out.body]).toEqual([204, ''])
    expectCleared(out)
    expect(await isLive(held.json())).toBe(false)
    expect(await renew(cookieOf(held))).toAnswer(401)
  })

  it('is as good as not there without the header', async () => {
    const held = await signIn()
    const cookie = cookieOf(held)
    for (const payload of [{ refresh: null }, {}]) {
      const answer = await post('token/refresh/', payload, { cookie })
      expect(answer).toAnswer(401)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    const out = await post('logout/', { refresh: null }, { cookie })
    expect([out.statusCode, out.headers['set-cookie']]).toEqual([204, undefined])
    expect(await isLive(held.json())).toBe(true)
    expectHeld(await renew(cookie))
  })
})

describe('a call that wears the header', () => {
  const HOST = { host: 'localhost:3000' }
  it.each([
    ['from another site', { 'sec-fetch-site': 'cross-site' }],
    ['from another port of this machine', { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3100' }],
    ['typed by somebody', { 'sec-fetch-site': 'none' }],
    ['from another origin, in an older browser', { origin: 'http://localhost:3100', ...HOST }],
    ['from a page without an origin', { origin: 'null', ...HOST }],
    ['that does not say where it comes from', {}],
  ])('%s is refused, and disturbs nothing', async (_where, headers) => {
    const held = await signIn()
    const cookie = cookieOf(held)
    const theirs = { 'aval-app': 'web', cookie, ...headers }
    const calls = [signIn(theirs), post('token/refresh/', {}, theirs), post('logout/', {}, theirs)]
    for (const answer of await Promise.all(calls)) {
      expect(answer).toAnswer(403)
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
    expect(await isLive(held.json())).toBe(true)
    expectHeld(await renew(cookie))
  })

  it.each([
    ['the address that people use', { origin: 'http://localhost:3000', host: '10.0.0.7' }],
    ['the address that was asked', { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' }],
  ])('is taken in an older browser from %s', async (_place, headers) => {
    expectHeld(await signIn({ 'aval-app': 'web', ...headers }))
  })

  it('may not be made by a page of another origin: nobody says so when a browser asks', async () => {
    for (const url of ['/api/auth/token/refresh/', '/api/auth/logout/', '/api/auth/token/']) {
      const asked = await server.call({
        method: 'OPTIONS',
        url,
        headers: {
          origin: 'http://localhost:3100',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'aval-app',
        },
      })
      expect(asked.statusCode).toBeGreaterThanOrEqual(400)
      expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

it('a form that another site posts with the cookie does nothing', async () => {
  const held = await signIn()
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
    for (const url of ['/api/auth/token/refresh/', '/api/auth/logout/']) {
      const headers = { cookie: cookieOf(held), 'content-type': type, 'sec-fetch-site': 'cross-site' }
      const answer = await server.call({ method: 'POST', url, payload: '', headers })
      expect(answer.headers['set-cookie']).toBeUndefined()
    }
  }
  expect(await isLive(held.json())).toBe(true)
  expectHeld(await renew(cookieOf(held)))
})

it('two installations on one machine, whose browser sends both cookies to each, do not disturb each other', async () => {
  // The same members stand for those of the other: what differs is the key, as it does between installations.
  const other = await startedWith(server, { jwtKey: new Uint8Array(32).fill(9) })
  const jar = new Map<string, string>()
  const keep = (answer: LightMyRequestResponse) => {
    for (const text of [answer.headers['set-cookie'] ?? []].flat()) {
      const [name = '', value = ''] = (text.split(';')[0] ?? '').split('=')
      jar.set(name, value)
    }
    return answer
  }
  const sent = () => ({ ...OURS, cookie: [...jar].map((pair) => pair.join('=')).join('; ') })
  const here = keep(await signIn(sent()))
  keep(await signIn(sent(), other))
  // Of each, the session and the known device.
  expect(jar.size).toBe(4)
  for (const at of [server, other, server]) {
    const answer = keep(await post('token/refresh/', {}, sent(), at))
    expectHeld(answer)
  }
  keep(await post('logout/', {}, sent(), other))
  expect(await isLive(here.json())).toBe(true)
  expectHeld(await post('token/refresh/', {}, sent()))
  await other.close()
})

it('the wire for other clients is unchanged: sign in, refresh twice, reload, log out with tokens in bodies', async () => {
  // A browser that sends cookies does not change it either.
  const cookie = cookieOf(await signIn())
  const client = (url: string, payload: object) => post(url, payload, { cookie })
  const first = await client('token/', { email: ana.username, password: TEST_PASSWORD })
  const second = await client('token/refresh/', { refresh: first.json().refresh })
  const third = await client('token/refresh/', { refresh: second.json().refresh })
  for (const answer of [first, second, third]) {
    expect(answer).toAnswer(200)
    expect(Object.keys(answer.json())).toEqual(['access', 'refresh'])
    expect(setBy(answer)).toBeUndefined()
  }
  expect(await isLive(third.json())).toBe(true)
  const out = await client('logout/', { refresh: third.json().refresh })
  expect([out.statusCode, out.body, setBy(out)]).toEqual([204, '', undefined])
  expect(await isLive(third.json())).toBe(false)
  expect(await client('token/refresh/', { refresh: null })).toAnswer(401)
})
