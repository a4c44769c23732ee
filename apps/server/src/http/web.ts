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
/** With what stood behind the link in a chat. */
const INVITATION_PATH = /^\/auth\/register\/\d{1,20}(?:[^\w/%]|%..)*\/?$/

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

/** @returns what the page at this path shows first; null where that is the loader */
const paintOf = (paints: FirstPaints, path: string): string | null => paints[path.replace(/\/$/, '')] ?? null

/** Puts it before the loader, whose place it takes where the style sheet shows it. */
export function withFirstPaint(html: string, paints: FirstPaints, path: string): string {
  const paint = paintOf(paints, path) ?? ''
  return html.replace('<div id="root">', (root) => `${root}${paint}`)
}

/** What the page has in itself of a kind, as a browser hashes it. */
const inside = (html: string, tag: 'script' | 'style'): string[] =>
  [...html.matchAll(new RegExp(`<${tag}>(.*?)</${tag}>`, 'gs'))].map(([, text = '']) => text)

const STYLE_SHEET = /<link rel="stylesheet" crossorigin href="(\/assets\/[\w.-]+\.css)">/g

/**
 * Puts the style sheets into the page: a browser paints nothing before they are there, and to ask for them takes a phone
 * half a second. Their links stay, disabled, so that a browser does not load the files and the app's loader, which looks for
 * such links, does not either.
 * @param read the text of a file of the build; null where it is gone, whose link then stays as it is
 */
export async function withStyles(
  html: string,
  read: (file: string) => Promise<string | null>,
): Promise<string> {
  const files = [...html.matchAll(STYLE_SHEET)].map(([, file = '']) => file)
  const texts = new Map(await Promise.all(files.map(async (file) => [file, await read(file)] as const)))
  return html.replaceAll(STYLE_SHEET, (link, file: string) => {
    const text = texts.get(file) ?? null
    return text === null
      ? link
      : `<style>${text}</style><link rel="stylesheet" disabled crossorigin href="${file}">`
  })
}

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
    const built = (name: string) => readFile(join(folder, name), 'utf8').catch(() => null)
    const arrivals = readArrivals(await built('.vite/arrivals.json'))
    const paints = readFirstPaints(await built('.vite/first-paints.json'))
    const path = pathOf(request)
    const hinted = withHints(pageFor(html, publicUrl, path), arrivals, path)
    const styled = paintOf(paints, path) === null ? hinted : await withStyles(hinted, built)
    const scripts = inside(html, 'script').map(inlineHash)
    const styles = inside(styled, 'style').map(inlineHash)
    await reply.helmet({ contentSecurityPolicy: pagePolicy(publicUrl, { scripts, styles }) })
    return reply
      .code(200)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(withFirstPaint(styled, paints, path))
  }
  app.get('/', { schema: { hide: true } }, sendPage)
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isPage(request) ? sendPage(request, reply) : onMissing(request, reply),
  )
}
