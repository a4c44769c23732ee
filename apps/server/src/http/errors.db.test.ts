import { createConnection } from 'node:net'
import { connect, IMPATIENT } from '@aval/db'
import { startFakeServer } from '@aval/db/testing/fake-server'
import type { InjectOptions } from 'fastify'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Refusal } from '../core/refusal.ts'
import { features, parts } from '../features.ts'
import { accessOf, createTestServer, join, PROBLEM } from '../testing/server.ts'
import { suiteFixture } from '../testing/suite.ts'
import type { FeatureRoutes } from './api.ts'
import { route } from './route.ts'
import { buildServer } from './server.ts'

const sentence = route({
  call: 'GET /probe/text/',
  summary: 'A sentence',
  tags: [],
  hidden: true,
  access: 'public',
  response: { 200: z.string() },
  handler: () => 'Está "bien"',
})

/** What went into the log. */
const logged: unknown[][] = []

/** Routes of every kind there is, to be misused. */
const probes: FeatureRoutes = (api, context) => {
  const config = { access: 'public' } as const
  const body = z.object({ amount: z.string(), deep: z.unknown().optional() })
  api.post('/probe/', { config, schema: { body } }, async (request) => ({ got: request.body.amount }))
  sentence.register(api, context, 'probe')
  api.get('/probe/broken/', { config }, async (request) => {
    request.log.error = (...entry: unknown[]) => void logged.push(entry)
    throw new Error('the password of the database is hunter2')
  })
  api.get('/probe/wide/', { config, schema: { response: { 200: z.object({ a: z.int() }) } } }, async () =>
    JSON.parse('{"a":1,"password_hash":"secret"}'),
  )
  api.get('/probe/wait/:seconds/', { config }, async ({ url }) => {
    throw new Refusal('too_many_requests', { seconds: Number(url.split('/').at(-2)) })
  })
  api.get('/probe/mismatch/', { config, schema: { response: { 200: z.object({ a: z.int() }) } } }, async () =>
    JSON.parse('{"a":"secret"}'),
  )
}

const server = await suiteFixture(createTestServer, [...features, probes])
const access = await accessOf(server, await join(server))

const get = (url: string, headers = {}) => server.call({ url, headers })

describe('a refusal', () => {
  it('is one sentence in Spanish unless something else is asked', async () => {
    const answer = await get('/api/auth/user/')
    expect(answer).toAnswer(401)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(answer.json()).toBe('Inicia sesión para continuar.')
  })

  it('is in English for those who prefer it', async () => {
    const headers = { 'accept-language': 'fr, en;q=0.8, es;q=0.2' }
    const answer = await get('/api/auth/user/', headers)
    expect(answer.json()).toBe('Sign in to continue.')
  })

  it('says a long wait in minutes, and to clients always in seconds', async () => {
    for (const [seconds, wait] of [
      [1, '1 segundo'],
      [90, '90 segundos'],
      [812, '14 minutos'],
    ] as const) {
      const answer = await get(`/api/probe/wait/${seconds}/`)
      expect(answer.json()).toBe(`Demasiados intentos. Espera ${wait} y vuelve a intentarlo.`)
      expect(answer.headers['retry-after']).toBe(String(seconds))
    }
  })

  it('is a problem document for clients that accept one', async () => {
    const answer = await get('/api/auth/user/', { ...PROBLEM, 'accept-language': 'en' })
    expect(answer.headers['content-type']).toBe('application/problem+json; charset=utf-8')
    expect(answer.json()).toEqual({
      type: 'about:blank',
      title: 'Unauthorized',
      status: 401,
      detail: 'Sign in to continue.',
      code: 'not_signed_in',
    })
  })

  it('of an input names every field, and says the first one', async () => {
    const payload = { username: 'x', email: 'no', password: 'short', password2: 'short', captcha: 'x' }
    const post: InjectOptions = { method: 'POST', url: '/api/auth/register/0/', payload }
    const plain = await server.call(post)
    expect(plain).toAnswer(400)
    expect(plain.json()).toMatch(/^El nombre de usuario/)
    const document = (await server.call({ ...post, headers: PROBLEM })).json()
    expect(document).toMatchObject({ status: 400, code: 'username_invalid' })
    expect(document.errors.map((error: { path: string; code: string }) => [error.path, error.code])).toEqual([
      ['username', 'username_invalid'],
      ['email', 'email_invalid'],
      ['password', 'password_too_short'],
    ])
  })

  it('of an unexpected kind is in the log, with its cause and its call', async () => {
    logged.length = 0
    await get('/api/probe/broken/')
    const err = expect.objectContaining({ message: expect.stringContaining('hunter2') })
    expect(logged).toEqual([[{ err, method: 'GET', route: '/api/probe/broken/' }, 'unexpected error']])
  })

  it('of an unexpected kind shows nothing of its cause', async () => {
    const answer = await get('/api/probe/broken/', PROBLEM)
    expect(answer).toRefuse(500, 'unexpected')
    expect(answer.body).not.toContain('hunter2')
  })

  it('of a method that nothing answers is a sentence: TRACE echoes nothing', async () => {
    const answer = await server.call({
      method: 'TRACE' as 'GET',
      url: '/api/probe/text/',
      headers: { cookie: 'a=secret' },
    })
    expect([404, 405]).toContain(answer.statusCode)
    expect(answer.body).not.toContain('secret')
  })

  it('of an answer that breaks its own schema shows nothing of its cause', async () => {
    const answer = await get('/api/probe/mismatch/')
    expect(answer).toAnswer(500)
    expect(answer.body).not.toContain('secret')
  })

  it('is 503 with a time to come back while the database hangs, however many wait for it', async () => {
    const hanging = await startFakeServer('hanging')
    const away = connect(`postgres://nobody@${hanging.host}/none`, 2, 'aval-api', IMPATIENT)
    const api = await buildServer({ ...server.context, db: away.db }, features, parts)
    const ask = () =>
      api.inject({ url: '/api/auth/user/', headers: { authorization: `Bearer ${access}`, ...PROBLEM } })
    for (const answer of await Promise.all([ask(), ask(), ask(), ask()])) {
      expect(answer).toRefuse(503, 'unavailable')
      expect(answer.headers['retry-after']).toBe('5')
    }
    await api.close()
    await away.close()
    await hanging.stop()
  })

  it('is 503 while the database is away, and health says the same', async () => {
    const away = connect('postgres://nobody@127.0.0.1:1/none')
    const api = await buildServer({ ...server.context, db: away.db }, features, parts)
    const get = (url: string) =>
      api.inject({ url, headers: { authorization: `Bearer ${access}`, ...PROBLEM } })
    const answer = await get('/api/auth/user/')
    expect(answer).toRefuse(503, 'unavailable')
    expect(await get('/api/health/ready')).toAnswer(503)
    expect(await get('/api/health/live')).toAnswer(200)
    await api.close()
    await away.close()
  })
})

describe('an answer', () => {
  it('has no field that its schema does not name, whatever the row has', async () => {
    expect((await get('/api/probe/wide/')).json()).toEqual({ a: 1 })
  })
})

describe('an input', () => {
  const post = (payload: unknown, headers: Record<string, string> = {}) =>
    server.call({
      method: 'POST',
      url: '/api/probe/',
      payload: payload as string,
      headers: { 'content-type': 'application/json', ...PROBLEM, ...headers },
    })

  it.each([
    ['no JSON', '{"amount"', 400, 'json_invalid'],
    ['a poisoned prototype', '{"amount":"1","__proto__":{"isOperator":true}}', 400, 'json_invalid'],
    ['a poisoned constructor', '{"amount":"1","constructor":{"prototype":{"a":1}}}', 400, 'json_invalid'],
    ['nested too deep', `{"amount":"1","deep":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400, 'json_invalid'],
    ['nothing', '', 400, 'input_invalid'],
    ['null', 'null', 400, 'input_invalid'],
    ['a list', '[]', 400, 'input_invalid'],
    ['a string', '"amount"', 400, 'input_invalid'],
    ['a missing field', '{}', 400, 'field_required'],
    ['a field of the wrong type', '{"amount":{}}', 400, 'amount_invalid'],
    ['a body of 10 MB', `{"amount":"${'x'.repeat(10_000_000)}"}`, 413, 'body_too_large'],
  ])('that is %s is refused', async (_name, payload, status, code) => {
    const answer = await post(payload)
    expect(answer).toRefuse(status, code)
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
  ])('of type %s is refused where JSON is wanted', async (type) => {
    const answer = await post('amount=1', { 'content-type': type })
    expect(answer).toRefuse(415, 'media_type_unsupported')
  })

  it('of 10 MB is refused over a real connection, by its announced length and by its bytes', async () => {
    const url = await server.api.listen({ port: 0, host: '127.0.0.1' })
    const body = new TextEncoder().encode(`{"amount":"${'x'.repeat(10_000_000)}"}`)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, duplex: 'half' }
    for (const sent of [body, ReadableStream.from([body])]) {
      const answer = await fetch(`${url}/api/probe/`, { ...init, body: sent } as RequestInit)
      expect(answer.status).toBe(413)
    }
  })
})

describe('what is no request', () => {
  /** What the server answers to bytes, and then hangs up. */
  function answerTo(bytes: string): Promise<string> {
    const { port } = new URL(server.api.listeningOrigin)
    return new Promise((resolve, reject) => {
      const socket = createConnection(Number.parseInt(port, 10), '127.0.0.1', () => socket.write(bytes))
      let text = ''
      socket.on('data', (data) => {
        text += data.toString('utf8')
      })
      socket.on('error', reject)
      socket.on('close', () => resolve(text))
    })
  }

  it.each([
    ['headers beyond measure', `GET /api/?${'x'.repeat(40_000)} HTTP/1.1\r\nhost: a\r\n\r\n`, 431],
    ['no HTTP', 'hello\r\n\r\n', 400],
  ])('%s is answered by a sentence', async (_what, bytes, status) => {
    if (!server.api.server.listening) await server.api.listen({ port: 0, host: '127.0.0.1' })
    const [head = '', body = ''] = (await answerTo(bytes)).split('\r\n\r\n')
    expect(head).toContain(`HTTP/1.1 ${status}`)
    expect(JSON.parse(body)).toBe('Los datos enviados no son válidos.')
  })
})

describe('an address', () => {
  it.each([
    ['/api/nothing/', 404],
    ['/api/', 404],
    ['/api', 404],
    ['/nothing', 404],
    ['/api/%zz', 400],
    [`/api/auth/inviter/${'1'.repeat(500)}/`, 404],
    ['/api/auth/inviter/1%00/', 404],
  ])('%s answers %i with a sentence', async (url, status) => {
    const answer = await server.call({ url })
    expect(answer).toAnswer(status)
    expect(typeof answer.json()).toBe('string')
  })

  it('answers with and without its trailing slash', async () => {
    for (const url of ['/api/probe/text/', '/api/probe/text']) {
      expect(await server.call({ url })).toAnswer(200, 'Está "bien"')
    }
  })

  it('called by another method is not there', async () => {
    expect(await server.call({ method: 'DELETE', url: '/api/probe/' })).toAnswer(404)
  })
})

describe('the headers', () => {
  it('keep foreign scripts out, and promise no TLS on localhost', async () => {
    const { headers } = await get('/api/docs/')
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['content-security-policy']).toContain("script-src 'self';")
    expect(headers['content-security-policy']).not.toMatch(/unsafe|upgrade-insecure/)
    expect(headers['permissions-policy']).toContain('camera=()')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['x-content-type-options']).toBe('nosniff')
    expect(headers['strict-transport-security']).toBeUndefined()
  })
})

describe('an answer', () => {
  it('is kept by nothing between us, except pictures', async () => {
    expect((await get('/api/probe/text/')).headers['cache-control']).toBe('no-store')
    expect((await get('/api/avatars/AB.svg')).headers['cache-control']).toContain('public')
  })
})

describe('the description of the calls', () => {
  it('is OpenAPI 3.1, and names every call once', async () => {
    const document = (await get('/api/docs/openapi.json')).json()
    expect(document.openapi).toBe('3.1.0')
    expect(Object.keys(document.paths)).toContain('/api/auth/register/{ref_code}/')
    expect(document.paths['/api/auth/user/'].get.security).toEqual([{ bearer: [] }])
    expect(document.paths['/api/auth/token/'].post.security).toEqual([])
  })

  it('can be read as a page that loads only files of ours', async () => {
    const page = await get('/api/docs/')
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.headers['content-security-policy']).toContain("script-src 'self'")
    expect(page.body).not.toMatch(/https?:\/\//)
    const files = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url)
    expect(files).toHaveLength(3)
    for (const url of files) expect(await server.call({ url }), url).toAnswer(200)
  })
})
