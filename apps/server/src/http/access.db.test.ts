import { inTransaction } from '@aval/db'
import { SignJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import { signAccess } from '../core/access-token.ts'
import { openSession } from '../features/identity/sessions/sessions.commands.ts'
import { parts } from '../features.ts'
import { accessOf, createTestServer, join } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import { callerOf } from './access.ts'
import type { FeatureRoutes } from './api.ts'
import { buildServer } from './server.ts'

/** A route for each level of access. */
const probes: FeatureRoutes = (api) => {
  api.get('/probe/public/', { config: { access: 'public' } }, async () => ({ ok: true }))
  api.get('/probe/member/', { config: { access: 'member' } }, async (request) => ({
    username: callerOf(request).username,
  }))
  api.get('/probe/operator/', { config: { access: 'operator' } }, async () => ({ ok: true }))
}

const server = await suiteFixture(createTestServer, [probes])

const memberId = await join(server, { username: 'ana' })
const access = await accessOf(server, memberId)
const operatorAccess = await accessOf(server, await join(server, { isOperator: true }))

describe('a route for members', () => {
  const get = (authorization: string | undefined, url = '/api/probe/member/') =>
    server.call({ url, headers: authorization === undefined ? {} : { authorization } })

  it('knows who calls', async () => {
    const answer = await get(`Bearer ${access}`)
    expect(answer.json()).toEqual({ username: 'ana' })
  })

  const key = () => server.context.config.jwtKey
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const partsOf = () => {
    const [head = '', payload = '', signature = ''] = access.split('.')
    return { head, payload, signature, claims: JSON.parse(Buffer.from(payload, 'base64url').toString()) }
  }
  /** The caller's own claims, signed in another way. */
  const sign = (alg: string, secret: Uint8Array, change: object = {}) =>
    new SignJWT({ ...partsOf().claims, ...change }).setProtectedHeader({ alg }).sign(secret)

  it('takes its own claims, signed anew: what the forgeries below change is what they are refused for', async () => {
    expect(await get(`Bearer ${await sign('HS256', key())}`)).toAnswer(200)
  })

  const forgeries: Record<string, () => Promise<string> | string | undefined> = {
    'no token': () => undefined,
    'the word null': () => 'Bearer null',
    'another scheme': () => `Basic ${access}`,
    rubbish: () => 'Bearer a.b.c',
    'a flood': () => `Bearer ${'a'.repeat(9000)}.b.c`,
    'a token signed by somebody else': async () =>
      `Bearer ${await sign('HS256', new Uint8Array(32).fill(7))}`,
    'a token that brings its own key': async () => {
      const own = new Uint8Array(32).fill(7)
      const jwk = { kty: 'oct', k: Buffer.from(own).toString('base64url') }
      const head = { alg: 'HS256', jwk, jku: 'https://evil.example/keys', kid: 'mine' }
      return `Bearer ${await new SignJWT(partsOf().claims).setProtectedHeader(head).sign(own)}`
    },
    'a token of another algorithm': async () => `Bearer ${await sign('HS512', key())}`,
    'a token of a session that never was': async () =>
      `Bearer ${await sign('HS256', key(), { sid: '00000000-0000-4000-8000-000000000000' })}`,
    'a token for another purpose': async () => `Bearer ${await sign('HS256', key(), { aud: 'else' })}`,
    'a token that never expires': async () => `Bearer ${await sign('HS256', key(), { exp: undefined })}`,
    'an expired token': async () => {
      const sessionId = partsOf().claims.sid
      return `Bearer ${await signAccess(key(), { memberId, sessionId }, new Date(Date.now() - 11 * 60_000))}`
    },
    'a token without algorithm': () => `Bearer ${encode({ alg: 'none' })}.${partsOf().payload}.x`,
    'a token without signature': () => `Bearer ${encode({ alg: 'none' })}.${partsOf().payload}.`,
    'a changed token': () => {
      const { head, signature, claims } = partsOf()
      return `Bearer ${head}.${encode({ ...claims, sub: String(server.rootId) })}.${signature}`
    },
    "another member's number on one's own session": async () =>
      `Bearer ${await sign('HS256', key(), { sub: String(server.rootId) })}`,
    'a number that is none': async () => `Bearer ${await sign('HS256', key(), { sub: "1' OR 1=1" })}`,
  }

  it.each(Object.keys(forgeries))('refuses %s', async (name) => {
    expect(await get(await forgeries[name]?.())).toAnswer(401)
  })

  it('refuses strangers before it reads what they send', async () => {
    const answer = await server.call({
      method: 'GET',
      url: '/api/probe/member/',
      payload: 'x'.repeat(2_000_000),
      headers: { 'content-type': 'text/plain' },
    })
    expect(answer).toAnswer(401)
  })

  it('is opened by no cookie, whatever is in it: another site can send those', async () => {
    const cookie = ['access', 'refresh', 'token', 'authorization', 'aval_device', '__Host-aval']
      .map((name) => `${name}=${access}`)
      .join('; ')
    for (const method of ['GET', 'POST'] as const)
      expect(await server.call({ method, url: '/api/probe/member/', headers: { cookie } })).toAnswer(
        method === 'GET' ? 401 : 404,
      )
  })

  it('is not for operators alone, nor the other way round', async () => {
    expect(await get(`Bearer ${operatorAccess}`)).toAnswer(200)
    expect(await get(`Bearer ${operatorAccess}`, '/api/probe/operator/')).toAnswer(200)
    expect(await get(`Bearer ${access}`, '/api/probe/operator/')).toAnswer(403)
    expect(await get(undefined, '/api/probe/operator/')).toAnswer(401)
  })

  it('is read anew at each call: one who is no operator any more is refused', async () => {
    const operatorId = await join(server, { isOperator: true })
    const token = `Bearer ${await accessOf(server, operatorId)}`
    expect(await get(token, '/api/probe/operator/')).toAnswer(200)
    const { db } = server.owner
    await db
      .updateTable('member')
      .set({ is_operator: false, operator_role: null })
      .where('id', '=', operatorId)
      .execute()
    expect(await get(token, '/api/probe/operator/')).toAnswer(403)
    expect(await get(token)).toAnswer(200)
  })

  it('is not for an operator whose session began without a code', async () => {
    const operatorId = await join(server, { isOperator: true })
    const session = { memberId: operatorId, userAgent: 'test' }
    const pair = await inTransaction(server.context.db, (tx) =>
      openSession(server.context, tx, session, new Date()),
    )
    expect(
      await server.call({
        url: '/api/probe/operator/',
        headers: { authorization: `Bearer ${pair.access}`, accept: 'application/problem+json' },
      }),
    ).toRefuse(403, 'two_factor_required')
    expect(await get(`Bearer ${pair.access}`)).toAnswer(200)
  })
})

describe('a public route', () => {
  it.each(['Bearer null', 'Bearer a.b.c', 'Basic x', 'nonsense'])('never minds %s', async (authorization) => {
    expect(await server.call({ url: '/api/probe/public/', headers: { authorization } })).toAnswer(200)
  })
})

describe('a route that does not say who may call it', () => {
  it('does not start', async () => {
    const careless: FeatureRoutes = (api) => {
      api.get('/careless/', async () => ({}))
    }
    await expect(buildServer(server.context, [careless], parts)).rejects.toThrow(
      'does not say who may call it',
    )
  })
})

describe('reads of a member', () => {
  const memberRoutes: FeatureRoutes = (api) => {
    probes(api, server.context)
    api.post('/probe/write/', { config: { access: 'member' } }, async () => ({ ok: true }))
    const stream = { call: 'GET /probe/stream/', summary: '', tags: [], operationId: 'probe' } as const
    const config = { access: 'member', route: { ...stream, access: 'member', staysOpen: true } } as const
    api.get('/probe/stream/', { config }, async () => ({ ok: true }))
  }

  it('beyond the limit are refused for a moment, in the language of the reader; writes, streams and other members are not', async () => {
    const { context } = server
    const limits = { ...context.config.limits, reads: { points: 2, seconds: 60 } }
    const limited = await buildServer(
      { ...context, config: { ...context.config, limits } },
      [memberRoutes],
      parts,
    )
    const get = (token: string, language = 'es') =>
      limited.inject({
        url: '/api/probe/member/',
        headers: { authorization: `Bearer ${token}`, 'accept-language': language },
      })
    for (const status of [200, 200, 429]) expect(await get(access)).toAnswer(status)
    const refused = await get(access)
    expect(refused.headers['retry-after']).toBe('30')
    expect(refused.json()).toMatch(/^Demasiados/)
    expect((await get(access, 'en')).json()).toMatch(/^Too many/)
    const headers = { authorization: `Bearer ${access}` }
    expect(await limited.inject({ method: 'POST', url: '/api/probe/write/', headers })).toAnswer(200)
    expect(await limited.inject({ url: '/api/probe/stream/', headers })).toAnswer(200)
    expect(await get(await accessOf(server, await join(server)))).toAnswer(200)
    await limited.close()
  })
})
