/** Sessions of operators' accounts: how long they last, and what keeps them. */
import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { query } from '../../../core/query.sql.ts'
import { codeOf, createTestServer, freshCode, PROBLEM, TEST_PASSWORD } from '../../../testing/server.ts'
import { suiteFixture } from '../../../testing/suite.ts'
import { sessionIn } from '../testing/member-fixture.ts'
import { secondFactorFixture } from '../testing/second-factor-fixture.ts'

const server = await suiteFixture(createTestServer)
const { db } = server.context
const { newMember, protectedMember } = secondFactorFixture(server)

const post = (url: string, payload: object) =>
  server.call({ method: 'POST', url: `/api/auth/${url}`, payload, headers: PROBLEM })

interface Tokens {
  readonly access: string
  readonly refresh: string
}

/** Somebody who signed in, with a code where the account asks for one. */
async function signIn(username: string, secret: string | null): Promise<Tokens> {
  const first = await post('token/', { email: username, password: TEST_PASSWORD })
  if (secret === null) return first.json()
  const { otp_token } = first.json()
  return (await post('otp/', { otp_token, code: codeOf(secret, new Date()) })).json()
}

async function operator() {
  const { username, memberId, secret } = await protectedMember(true)
  return { memberId, username, secret, ...(await signIn(username, secret)) }
}
async function member() {
  const { username, memberId } = await newMember()
  return { memberId, ...(await signIn(username, null)) }
}

type Holder = Pick<Tokens, 'access' | 'refresh'>

const call = ({ access }: Holder, url: string, more: InjectOptions['headers'] = {}) =>
  server.call({ url: `/api/${url}`, headers: { ...PROBLEM, authorization: `Bearer ${access}`, ...more } })
const renew = ({ refresh }: Holder) => post('token/refresh/', { refresh })

/** As if the session had begun, and been used, so many minutes ago by the server's clock: the database's may be ahead of it. */
async function age(who: Holder, minutes: { readonly started: number; readonly acted: number }) {
  const ago = (count: number) => new Date(Date.now() - count * 60_000)
  await query(db)`UPDATE session SET started_at = ${ago(minutes.started)}, acted_at = ${ago(minutes.acted)}
    WHERE id = ${sessionIn(who.access)}::uuid`
}
/** Minutes since the last act that was written down; null where none was. */
async function idleOf(who: Holder): Promise<number | null> {
  const [row] = await query<{ minutes: number | null }>(db)`
    SELECT round(extract(epoch FROM now() - acted_at) / 60)::int AS minutes
    FROM session WHERE id = ${sessionIn(who.access)}::uuid`
  return row?.minutes ?? null
}
const BACKGROUND = { 'aval-background': '1' }
const ANYWHERE = ['operator/today/', 'auth/user/', 'core/events/']

describe('a session of an operator', () => {
  it('ends 30 minutes after the last call of a person, wherever it is used, and cannot be renewed', async () => {
    const olga = await operator()
    await age(olga, { started: 60, acted: 29 })
    expect(await call(olga, 'operator/today/', BACKGROUND)).toAnswer(200)
    await age(olga, { started: 60, acted: 30 })
    for (const url of ANYWHERE) expect(await call(olga, url)).toRefuse(401, 'session_idle')
    expect(await renew(olga)).toRefuse(401, 'session_idle')
    const spanish = await call(olga, 'auth/user/', { accept: 'application/json', 'accept-language': 'es' })
    expect(spanish.json()).toBe('Tu sesión terminó tras 30 minutos sin uso. Inicia sesión otra vez.')
  })

  it('ends 8 hours after the sign-in, however much it is used', async () => {
    const olga = await operator()
    await age(olga, { started: 479, acted: 1 })
    expect(await call(olga, 'operator/today/')).toAnswer(200)
    await age(olga, { started: 480, acted: 1 })
    for (const url of ANYWHERE) expect(await call(olga, url)).toRefuse(401, 'session_expired')
    expect(await renew(olga)).toRefuse(401, 'session_expired')
  })

  it('is kept by calls of a person, written down once a minute at most', async () => {
    const olga = await operator()
    expect(await call(olga, 'operator/today/')).toAnswer(200)
    expect(await idleOf(olga)).toBeNull()
    await age(olga, { started: 60, acted: 20 })
    expect(await call(olga, 'auth/user/')).toAnswer(200)
    expect(await idleOf(olga)).toBe(0)
  })

  it.each(['true', '0', ''])(
    'is kept by a call whose mark is “%s”: only one says that nobody caused it',
    async (mark) => {
      const olga = await operator()
      await age(olga, { started: 60, acted: 20 })
      await call(olga, 'auth/user/', { 'aval-background': mark })
      expect(await idleOf(olga)).toBe(0)
    },
  )

  it('is not kept by calls that no person caused, renewals, or a stream that opens', async () => {
    const olga = await operator()
    await age(olga, { started: 60, acted: 20 })
    expect(await call(olga, 'operator/today/', BACKGROUND)).toAnswer(200)
    const renewed = await renew(olga)
    expect(renewed).toAnswer(200)
    const { access } = renewed.json()
    // Nothing follows the database here, so that the stream ends at once.
    expect(await call({ ...olga, access }, 'core/events/')).toAnswer(200)
    expect(await idleOf(olga)).toBe(20)
  })

  it('is not kept by what is refused to an account without a second factor', async () => {
    const { username } = await newMember(true)
    const olga = await signIn(username, null)
    await age(olga, { started: 60, acted: 20 })
    expect(await call(olga, 'operator/today/')).toRefuse(403, 'two_factor_required')
    expect(await idleOf(olga)).toBe(20)
  })

  it('stands in the list with its rights, and no more once it is over', async () => {
    const olga = await operator()
    const other = await signIn(olga.username, await secretOf(olga))
    const list = async () => (await call(olga, 'auth/sessions/')).json()
    expect(await list()).toMatchObject({ count: 2, results: [{ operator: true }, { operator: true }] })
    await age(other, { started: 60, acted: 30 })
    expect(await list()).toMatchObject({ count: 1 })
    await age(other, { started: 481, acted: 1 })
    expect(await list()).toMatchObject({ count: 1 })
  })
})

/** The same secret, as another one: its present code counts once more. */
async function secretOf(who: { readonly access: string; readonly secret: string }): Promise<string> {
  await freshCode(server, { authorization: `Bearer ${who.access}` })
  return who.secret
}

describe('a session of a member', () => {
  it('lasts as before: 24 hours from its last use, and nothing is written for a call', async () => {
    const ana = await member()
    await query(
      db,
    )`UPDATE session SET started_at = now() - interval '20 days' WHERE member_id = ${ana.memberId}`
    expect(await call(ana, 'auth/user/')).toAnswer(200)
    expect(await renew(ana)).toAnswer(200)
    expect(await idleOf(ana)).toBeNull()
  })
})
