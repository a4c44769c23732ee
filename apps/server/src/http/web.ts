/** The built web app: hashed assets for ever, everything else asked for anew, unknown paths to the app's own router. */
import { readFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Api } from './api.ts'
import { onMissing } from './errors.ts'
import { inlineHash, pagePolicy } from './policy.ts'
import { pageFor, pathOf, readArrivals, scriptsIn, withHints } from './web-page.ts'

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
  reply.header('content-security-policy', "default-src 'none'")
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
    // Read anew: a deployment may replace them under a running server.
    const html = await readFile(join(folder, 'index.html'), 'utf8')
    const arrivals = await readFile(join(folder, '.vite', 'arrivals.json'), 'utf8').catch(() => null)
    const path = pathOf(request)
    const scripts = scriptsIn(html).map(inlineHash)
    await reply.helmet({ contentSecurityPolicy: pagePolicy(publicUrl, { scripts }) })
    return reply
      .code(200)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(withHints(pageFor(html, publicUrl, path), readArrivals(arrivals), path))
  }
  app.get('/', { schema: { hide: true } }, sendPage)
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isPage(request) ? sendPage(request, reply) : onMissing(request, reply),
  )
}
