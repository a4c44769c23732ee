/** The built web app: hashed assets for ever, everything else asked for anew, unknown paths to the app's own router. */
import { sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { onMissing } from './errors.ts'
import type { Api } from './server.ts'

const ASSETS = '/assets/'
const FOR_EVER = 'public, max-age=31536000, immutable'

/** Whether a path that is no file belongs to the app's router. A missing asset is missing: no page stands in for it. */
function isPage(request: FastifyRequest): boolean {
  const path = request.url.split('?')[0] ?? ''
  return (
    (request.method === 'GET' || request.method === 'HEAD') &&
    !path.startsWith(ASSETS) &&
    path !== '/api' &&
    !path.startsWith('/api/')
  )
}

export async function serveWeb(app: Api, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    preCompressed: true,
    cacheControl: false,
    index: 'index.html',
    dotfiles: 'deny',
    schemaHide: true,
    setHeaders(reply, path) {
      const hashed = path.startsWith(`${folder}${ASSETS.replaceAll('/', sep)}`)
      reply.header('cache-control', hashed ? FOR_EVER : 'no-cache')
    },
  })
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) =>
    isPage(request) ? reply.code(200).sendFile('index.html') : onMissing(request, reply),
  )
}
