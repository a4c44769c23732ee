/** What every answer carries under https: pages, files, calls, refusals, and what answers no request at all. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createConnection } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../core/context.ts'
import { features, parts } from '../features.ts'
import { testConfig } from '../testing/server.ts'
import type { FeatureRoutes } from './api.ts'
import { serveMetrics } from './metrics.ts'
import { buildServer } from './server.ts'

const webDist = await mkdtemp(join(tmpdir(), 'aval-headers-'))
await mkdir(join(webDist, 'assets'))
await writeFile(join(webDist, 'index.html'), '<title>office</title>')
await writeFile(join(webDist, 'sw.js'), 'worker')
await writeFile(join(webDist, 'assets', 'app-1a2b.js'), 'part')
const config = {
  ...testConfig('postgres://nobody@127.0.0.1:1/none'),
  publicUrl: 'https://aval.example',
  securityContact: 'mailto:security@aval.example',
  trustedProxies: 1,
  webDist,
}
const api = await buildServer({ config } as Context, features, parts)
const address = await api.listen({ port: 0, host: '127.0.0.1' })
const metrics = await serveMetrics(api, 0)
afterAll(async () => {
  await Promise.all([api.close(), metrics.stop()])
  await rm(webDist, { recursive: true, force: true })
})

/** All that comes back for these bytes, until the connection ends. */
async function answerTo(bytes: string): Promise<string> {
  const socket = createConnection(Number(new URL(address).port), '127.0.0.1', () => socket.write(bytes))
  return Buffer.concat(await socket.toArray()).toString('utf8')
}

/** @param more lines of the head, and what follows it */
function asked(line: string, more = '\r\n'): Promise<string> {
  return answerTo(`${line} HTTP/1.1\r\nhost: aval.example\r\nconnection: close\r\n${more}`)
}

const headerOf = (answer: string, name: string) =>
  new RegExp(`^${name}: (.*)$`, 'im').exec(answer.split('\r\n\r\n')[0] ?? '')?.[1]?.trim()
const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

const READABLE = [
  ['a page', 'GET /dashboard', 200],
  ['a file of the build', 'GET /assets/app-1a2b.js', 200],
  ['the worker', 'GET /sw.js', 200],
  ['a file that is not there', 'GET /assets/gone.js', 404],
  ['security.txt', 'GET /.well-known/security.txt', 200],
  ['the calls as a page', 'GET /api/docs/', 200],
  ['the description of the calls', 'GET /api/docs/openapi.json', 200],
  ['a call', 'GET /api/health/live', 200],
  ['a picture', 'GET /api/avatars/AB.svg', 200],
  ['a refused call', 'GET /api/auth/user/', 401],
  ['a call that is not there', 'GET /api/gone/', 404],
  ['another method', 'DELETE /api/auth/user/', 404],
  ['a question for what is allowed', 'OPTIONS /api/auth/token/', 404],
  ['an address that cannot be read', 'GET /api/%zz', 400],
] as const

const isDressed = (answer: string, what: string) => {
  const policy = headerOf(answer, 'content-security-policy') ?? ''
  for (const directive of ['default-src', 'object-src', 'base-uri', 'frame-ancestors'])
    expect.soft(policy, what).toMatch(new RegExp(`(^|;) ?${directive} 'none'(;|$)`))
  expect.soft(policy, what).not.toMatch(/unsafe|\*|http:/)
  expect.soft(headerOf(answer, 'x-content-type-options'), what).toBe('nosniff')
}

describe('every answer under https', () => {
  it.each(READABLE)('keeps %s to https and our own content', async (what, line, status) => {
    const answer = await asked(line)
    expect(statusOf(answer)).toBe(status)
    isDressed(answer, what)
    expect(headerOf(answer, 'strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })

  it.each([
    ['no HTTP', 'hello\r\n\r\n', 400],
    ['headers beyond measure', `GET /?${'x'.repeat(40_000)} HTTP/1.1\r\n\r\n`, 431],
    ['no host', 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ])('says the same to %s', async (what, bytes, status) => {
    const answer = await answerTo(bytes)
    expect(statusOf(answer)).toBe(status)
    isDressed(answer, what)
    expect(headerOf(answer, 'strict-transport-security')).toBe('max-age=31536000; includeSubDomains')
  })

  it('is shown in no frame and with no sniffing where metrics are read either', async () => {
    for (const url of [metrics.url, `${metrics.url}/gone`]) {
      const { headers } = await fetch(url)
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('x-content-type-options')).toBe('nosniff')
    }
  })

  it('tells no other site where a page was, and shares no window with one', async () => {
    for (const line of ['GET /', 'GET /auth/login/', 'GET /api/docs/']) {
      const page = await asked(line)
      expect(headerOf(page, 'referrer-policy')).toBe('no-referrer')
      expect(headerOf(page, 'cross-origin-opener-policy')).toBe('same-origin')
    }
  })

  it('names its kind and its letters', async () => {
    for (const [what, line] of READABLE) {
      const kind = headerOf(await asked(line), 'content-type') ?? 'none'
      expect
        .soft(kind, what)
        .toMatch(/^(application|text)\/[\w.+-]+; charset=utf-8$|^image\/svg\+xml(; charset=utf-8)?$/)
    }
  })
})

describe('an answer of a call', () => {
  it.each(['GET /api/health/live', 'GET /api/avatars/AB.svg', 'GET /api/auth/user/', 'GET /api/gone/'])(
    'opened as a page runs nothing and belongs to no site: %s',
    async (line) => {
      expect(headerOf(await asked(line), 'content-security-policy')).toMatch(/;sandbox$/)
    },
  )

  it('is shared with no other site, whatever that calls itself', async () => {
    for (const line of ['GET /api/health/live', 'OPTIONS /api/auth/token/', 'GET /dashboard'])
      for (const origin of ['https://evil.example', 'null', 'https://aval.example']) {
        const head = (
          await asked(line, `origin: ${origin}\r\naccess-control-request-method: POST\r\n\r\n`)
        ).toLowerCase()
        expect(head).not.toContain('access-control-allow')
        expect(head).toContain('cross-origin-resource-policy: same-origin')
      }
  })

  it('leads nobody who asked without TLS on to https, as if nothing had been overheard', async () => {
    for (const line of ['GET /api/auth/user/', 'POST /api/auth/token/', 'GET /dashboard']) {
      const answer = await asked(line, 'x-forwarded-proto: http\r\ncontent-length: 0\r\n\r\n')
      expect(statusOf(answer) >= 300 && statusOf(answer) < 400).toBe(false)
      expect(headerOf(answer, 'location')).toBeUndefined()
    }
  })
})

describe('where a request ends', () => {
  it.each([
    ['two lengths', 'content-length: 5\r\ncontent-length: 44\r\n\r\nhello'],
    ['a length and chunks', 'content-length: 44\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks of another name', 'transfer-encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['chunks that are not the last encoding', 'transfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['a length that is no number', 'content-length: +5\r\n\r\nhello'],
    ['a chunk of no length', 'transfer-encoding: chunked\r\n\r\n0x5\r\nhello\r\n0\r\n\r\n'],
    ['a space before the colon', 'content-length : 5\r\n\r\nhello'],
    ['a header that goes on', 'x-a: 1\r\n content-length: 5\r\n\r\nhello'],
  ])('is said once: %s is no request, and nothing behind it is read', async (_what, more) => {
    const behind = 'GET /api/health/live HTTP/1.1\r\nhost: aval.example\r\n\r\n'
    const answer = await answerTo(
      `POST /api/auth/token/ HTTP/1.1\r\nhost: aval.example\r\ncontent-type: application/json\r\n${more}${behind}`,
    )
    expect(statusOf(answer)).toBe(400)
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
  })
})

describe('the address of who asks', () => {
  const probe: FeatureRoutes = (scope) => {
    scope.get('/probe/', { config: { access: 'public' } }, async ({ ip }) => ({ ip }))
  }
  const FORGED = {
    'x-forwarded-for': '198.51.100.1, 203.0.113.9, 203.0.113.10',
    'x-real-ip': '198.51.100.2',
    'x-forwarded-host': 'evil.example',
    forwarded: 'for=198.51.100.3',
    'x-user-id': '1',
  }

  it.each([
    [0, '127.0.0.1'],
    [1, '203.0.113.10'],
    [2, '203.0.113.9'],
  ])('is believed of %i proxies, and of nobody behind them', async (trustedProxies, ip) => {
    const server = await buildServer({ config: { ...config, trustedProxies } } as Context, [probe], parts)
    const answer = await server.inject({ url: '/api/probe/', headers: FORGED })
    expect(answer.json()).toEqual({ ip })
    await server.close()
  })
})
