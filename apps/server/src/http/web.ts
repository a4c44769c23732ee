/**
 * The built web app: hashed assets for ever, everything else asked for again, unknown paths to the app's own router.
 *
 * The server knows which page of the app was asked for. A preview of a link runs no script, so the page itself says
 * what it shows; a browser is named the files that it will need.
 */
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { Api } from './api.ts'
import { onMissing } from './errors.ts'
import { inlineHash, PART_POLICY, pagePolicy } from './policy.ts'

/** In the app's first language; it says nothing about who invited whom. */
const INVITATION = {
  title: 'Te invitaron a Aval',
  description: 'Crea tu cuenta con este enlace y mira de dónde sale cada pago.',
}
const INVITATION_PATH = /^\/auth\/register\/\d{1,20}\/?$/

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

function withMeta(html: string, property: string, content: string): string {
  const tag = new RegExp(`(<meta property="${property}" content=")[^"]*(")`)
  return html.replace(tag, (_whole, before: string, after: string) => `${before}${escaped(content)}${after}`)
}

const pathOf = (request: FastifyRequest): string => request.url.split('?')[0] ?? ''

/** What the build says a page needs beyond what the built page names; paths of files, by path of the page. */
type Arrivals = Readonly<Record<string, readonly string[]>>
const arrivalsFile = z.record(z.string(), z.array(z.string().regex(/^\/assets\/[\w.-]+$/)))

/** @param text of the build's file; null when it wrote none */
export const readArrivals = (text: string | null): Arrivals =>
  text === null ? {} : arrivalsFile.parse(JSON.parse(text))

function hintOf(file: string): string {
  const href = `href="${file}"`
  return file.endsWith('.css')
    ? `<link rel="stylesheet" crossorigin ${href}>`
    : `<link rel="modulepreload" fetchpriority="low" crossorigin ${href}>`
}

/** What the build says a page shows before any script has run: markup of our own, by path of the page. */
type FirstPaints = Readonly<Record<string, string>>

/** @param text of the build's file; null when it wrote none */
export const readFirstPaints = (text: string | null): FirstPaints =>
  text === null ? {} : z.record(z.string(), z.string()).parse(JSON.parse(text))

/** Puts it before the loader, whose place it takes where the style sheet shows it. */
export function withFirstPaint(html: string, paints: FirstPaints, path: string): string {
  const paint = paints[path.replace(/\/$/, '')] ?? ''
  return html.replace('<div id="root">', (root) => `${root}${paint}`)
}

/** The scripts that the page has in itself, as a browser hashes them. */
const scriptsIn = (html: string): string[] =>
  [...html.matchAll(/<script>(.*?)<\/script>/gs)].map(([, script = '']) => script)

/** Names the files of the page that was asked for, so that they come along with the first ones. */
export function withHints(html: string, arrivals: Arrivals, path: string): string {
  const files =
    Object.entries(arrivals).find(([page]) => path === page || path.startsWith(`${page}/`))?.[1] ?? []
  return html.replace('</head>', () => `${files.map(hintOf).join('')}</head>`)
}

/**
 * @param html the built page
 * @param publicUrl where people reach the product: previews follow absolute addresses alone
 * @param path of the page that was asked for
 */
export function pageFor(html: string, publicUrl: string, path: string): string {
  const picture = withMeta(html, 'og:image', `${publicUrl}/og.png`)
  if (!INVITATION_PATH.test(path)) return withMeta(picture, 'og:url', `${publicUrl}/`)
  const invited = withMeta(picture, 'og:url', `${publicUrl}${path}`)
  return withMeta(withMeta(invited, 'og:title', INVITATION.title), 'og:description', INVITATION.description)
}

const ASSETS = '/assets/'
const OF_PAGES = [
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'permissions-policy',
  'referrer-policy',
  'x-dns-prefetch-control',
  'x-download-options',
  'x-frame-options',
  'x-permitted-cross-domain-policies',
  'x-xss-protection',
]
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Whether a path that is no file belongs to the app's router. A missing asset is missing: no page stands in for it. */
function isPage(request: FastifyRequest): boolean {
  const path = pathOf(request)
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !path.startsWith(ASSETS) &&
    path !== '/api' &&
    !path.startsWith('/api/')
  )
}

/**
 * A part of a page is governed by the page. Its own headers weigh as much as many a part itself, so it keeps those that
 * mean something for a file; a worker, which is governed by its own, is left nothing.
 */
function dressLightly(reply: FastifyReply): void {
  for (const name of OF_PAGES) {
    reply.removeHeader(name)
    reply.raw.removeHeader(name)
  }
  reply.header('content-security-policy', PART_POLICY)
}

/**
 * @param folder of the build
 * @param publicUrl where people reach it
 */
export async function serveWeb(app: Api, folder: string, publicUrl: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    // The page has words of the path in it, so it is never sent as the file that it is.
    index: false,
    dotfiles: 'deny',
    schemaHide: true,
    setHeaders(reply, path) {
      const hashed = path.startsWith(`${folder}${ASSETS.replaceAll('/', sep)}`)
      reply.header('cache-control', hashed ? FOR_EVER : 'no-cache')
      if (hashed) dressLightly(reply)
    },
  })
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    // Read again: a deployment may replace them under a running server.
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    const built = (name: string) => readFile(join(folder, '.vite', name), 'utf8').catch(() => null)
    const arrivals = readArrivals(await built('arrivals.json'))
    const paints = readFirstPaints(await built('first-paints.json'))
    const path = pathOf(request)
    const scripts = scriptsIn(html).map(inlineHash)
    await reply.helmet({ contentSecurityPolicy: pagePolicy(publicUrl, { scripts }) })
    return reply
      .code(200)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(withFirstPaint(withHints(pageFor(html, publicUrl, path), arrivals, path), paints, path))
  }
  app.get('/', { schema: { hide: true } }, sendPage)
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isPage(request) ? sendPage(request, reply) : onMissing(request, reply),
  )
}
