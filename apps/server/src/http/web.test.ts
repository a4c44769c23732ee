import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { afterAll, describe, expect, it } from 'vitest'
import type { Api } from './api.ts'
import { PART_POLICY } from './policy.ts'
import {
  pageFor,
  readArrivals,
  readFirstPaints,
  serveWeb,
  withFirstPaint,
  withHints,
  withStyles,
} from './web.ts'

const SCRIPT = 'if(innerWidth<9)document.title=1'
const STYLE = '.a::after{content:"$&"}'
const PAGE = `<head><title>office</title><script>${SCRIPT}</script><script src="/a.js"></script></head><div id="root"></div>`

const folder = await mkdtemp(join(tmpdir(), 'aval-web-'))
await mkdir(join(folder, 'assets'))
await writeFile(join(folder, 'index.html'), PAGE)
await writeFile(join(folder, 'sw.js'), 'worker')
await writeFile(join(folder, 'favicon.svg'), '<svg/>')
await writeFile(join(folder, '.env'), 'SECRET=1')
await writeFile(join(folder, 'assets', 'app-1a2b.js'), 'plain')
await writeFile(join(folder, 'assets', 'app-1a2b.js.br'), 'brotli')
await writeFile(join(folder, 'assets', 'app-1a2b.js.gz'), 'gzip')
await writeFile(join(folder, 'assets', 'app-1a2b.css'), STYLE)
await mkdir(join(folder, '.vite'))
await writeFile(join(folder, '.vite', 'arrivals.json'), '{"/dashboard":["/assets/app-1a2b.css"]}')
await writeFile(join(folder, '.vite', 'first-paints.json'), '{"/dashboard":"<p>first</p>"}')
const app = Fastify({ routerOptions: { ignoreTrailingSlash: true } }) as unknown as Api
await app.register(helmet)
await serveWeb(app, folder, 'https://aval.example')
afterAll(async () => {
  await app?.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the built app', () => {
  it.each(['/', '/payments', '/auth/register/1234567', '/auth/login/?next=%2Fprofile', '/no/such/page/'])(
    'answers %s with its page, asked for anew each time',
    async (url) => {
      const answer = await app.inject({ url })
      expect([answer.statusCode, answer.body]).toEqual([200, PAGE])
      expect(answer.headers['content-type']).toContain('text/html')
      expect(answer.headers['cache-control']).toBe('no-cache')
    },
  )

  it('lets through what the page has in itself, and no other script', async () => {
    const policy = String((await app.inject({ url: '/dashboard' })).headers['content-security-policy'])
    const hash = createHash('sha256').update(SCRIPT).digest('base64')
    expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`)
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
  })

  it('has the style sheets of a first paint in the page, and lets them through', async () => {
    const answer = await app.inject({ url: '/dashboard' })
    const hash = createHash('sha256').update(STYLE).digest('base64')
    expect(answer.headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`)
    expect(answer.body).toContain(`<style>${STYLE}</style>`)
    expect(answer.body).toContain('<div id="root"><p>first</p>')
    const other = await app.inject({ url: '/payments' })
    expect(other.headers['content-security-policy']).toContain("style-src 'self';")
  })

  it('serves hashed assets for ever, compressed for those who can read it', async () => {
    const get = (encoding: string) =>
      app.inject({ url: '/assets/app-1a2b.js', headers: { 'accept-encoding': encoding } })
    const brotli = await get('gzip, br')
    expect([brotli.body, brotli.headers['content-encoding']]).toEqual(['brotli', 'br'])
    expect(brotli.headers['cache-control']).toBe('public, max-age=31536000, immutable')
    expect(brotli.headers['content-type']).toContain('javascript')
    expect(String(brotli.headers['vary'])).toMatch(/accept-encoding/i)
    expect((await get('gzip')).body).toBe('gzip')
    // A part of a page needs no more of a policy than a worker does.
    expect(brotli.headers['content-security-policy']).toBe(PART_POLICY)
    expect((await get('identity')).body).toBe('plain')
  })

  it('asks for its worker anew each time, or a deployment would never reach it', async () => {
    const answer = await app.inject({ url: '/sw.js' })
    expect([answer.body, answer.headers['cache-control']]).toEqual(['worker', 'no-cache'])
  })

  it('answers a question for the heading alone', async () => {
    const answer = await app.inject({ method: 'HEAD', url: '/dashboard' })
    expect([answer.statusCode, answer.body]).toEqual([200, ''])
  })

  it('serves what has no hash anew each time', async () => {
    const answer = await app.inject({ url: '/favicon.svg' })
    expect([answer.body, answer.headers['cache-control']]).toEqual(['<svg/>', 'no-cache'])
  })

  it.each([
    ['GET', '/assets/gone-9.js'],
    ['GET', '/api/gone'],
    ['GET', '/api'],
    ['POST', '/dashboard'],
  ] as const)('lets no page stand in for %s %s', async (method, url) => {
    const answer = await app.inject({ method, url })
    expect(answer.statusCode).toBe(404)
    expect(answer.body).not.toContain('office')
  })

  it.each(['/.env', '/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json'])(
    'keeps %s to itself',
    async (url) => {
      const answer = await app.inject({ url })
      expect(answer.body).not.toMatch(/SECRET|"name"/)
    },
  )
})

const page = readFileSync(new URL('../../../web/index.html', import.meta.url), 'utf8')
const OFFICE = 'https://aval.example'
const metaOf = (html: string, property: string) =>
  new RegExp(`<meta property="${property}" content="([^"]*)"`).exec(html)?.[1]

describe('the page as a link preview reads it', () => {
  it('names its picture whole', () => {
    expect(metaOf(pageFor(page, OFFICE, '/dashboard'), 'og:image')).toBe('https://aval.example/og.png')
  })

  it.each([
    '/auth/register/1234567',
    '/auth/register/1234567/',
    '/auth/register/0',
    '/auth/register/1234567)%E2%80%8B.',
  ])('invites at %s, without a word about who', (path) => {
    const html = pageFor(page, OFFICE, path)
    expect(metaOf(html, 'og:title')).toBe('Te invitaron a Aval')
    expect(metaOf(html, 'og:description')).toContain('Crea tu cuenta con este enlace')
    expect(metaOf(html, 'og:url')).toBe(`${OFFICE}${path}`)
  })

  it.each(['/', '/dashboard', '/auth/register/', '/auth/register/12"><script>', '/auth/register/1/more'])(
    'speaks of the office alone at %s',
    (path) => {
      const html = pageFor(page, OFFICE, path)
      expect(metaOf(html, 'og:title')).toBe(metaOf(page, 'og:title'))
      expect(metaOf(html, 'og:description')).not.toContain('invit')
      expect(metaOf(html, 'og:url')).toBe(`${OFFICE}/`)
      expect(html).not.toContain('12"')
    },
  )

  it('takes an address with odd letters as text', () => {
    expect(pageFor(page, 'https://a.example/?a="&b=$1', '/')).toContain(
      'content="https://a.example/?a=&quot;&amp;b=$1/og.png"',
    )
  })
})

describe('the page as a browser reads it', () => {
  const arrivals = readArrivals('{"/dashboard":["/assets/a.css","/assets/b.js"]}')

  it.each(['/dashboard', '/dashboard/'])('names at %s what is needed next', (path) => {
    const html = withHints(page, arrivals, path)
    expect(html).toContain('<link rel="stylesheet" crossorigin href="/assets/a.css">')
    expect(html).toContain(
      '<link rel="modulepreload" fetchpriority="low" crossorigin href="/assets/b.js"></head>',
    )
  })

  it.each(['/', '/dashboards', '/auth/login/'])('names nothing at %s', (path) => {
    expect(withHints(page, arrivals, path)).toBe(page)
  })

  it('needs no such list, and takes none that names anything but a file of the build', () => {
    expect(readArrivals(null)).toEqual({})
    expect(() => readArrivals('{"/":["https://evil.example/a.js"]}')).toThrow()
  })

  it.each(['/dashboard', '/dashboard/'])(
    'shows at %s, before the loader, what the build drew for it',
    (path) => {
      const html = withFirstPaint(page, readFirstPaints('{"/dashboard":"<p>$&</p>"}'), path)
      expect(html).toMatch(/<div id="root"><p>\$&<\/p>\s*<div class="boot"/)
    },
  )

  it('keeps the link of a style sheet that stands in the page, for the loader to find, but not to be loaded', async () => {
    const link = (file: string) => `<link rel="stylesheet" crossorigin href="/assets/${file}.css">`
    const read = async (file: string) => (file.includes('gone') ? null : '.a{color:red}')
    expect(await withStyles(`${link('a-1')}${link('gone-2')}`, read)).toBe(
      `<style>.a{color:red}</style><link rel="stylesheet" disabled crossorigin href="/assets/a-1.css">${link('gone-2')}`,
    )
  })

  it.each(['/', '/payments', '/auth/login'])('shows the loader alone at %s', (path) => {
    expect(withFirstPaint(page, readFirstPaints('{"/dashboard":"<p></p>"}'), path)).toBe(page)
    expect(withFirstPaint(page, readFirstPaints(null), path)).toBe(page)
  })
})
