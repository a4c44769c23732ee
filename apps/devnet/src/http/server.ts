/** The HTTP face of a node: its API, the development calls, the pages. */
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { z } from 'zod'
import type { DevWallet } from '../chain/dev-wallet.ts'
import { isOutOfRoom } from '../chain/store.ts'
import type { ChainNode } from '../node/node.ts'
import { ask, fieldsOf, parseJson, type Reply } from './ask.ts'
import { devError, devRoutes } from './dev.ts'
import { checkoutPages } from './pages/checkout.ts'
import { explorerPages } from './pages/explorer.ts'
import { ICON, STYLE } from './pages/style.ts'

const BODY_LIMIT = 1024 * 1024

const httpError = z.object({ statusCode: z.number() }).catch({ statusCode: 500 })

/** Builds the server; it does not listen yet. `blockMs` 0 means that blocks are made by call only. */
export function buildServer(node: ChainNode, wallet: DevWallet, blockMs: number): FastifyInstance {
  const { chain } = node
  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true, logger: false })
  app.removeAllContentTypeParsers()
  // java-tron ignores the content type; forms are what our own pages send.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const text = String(body)
      // curl sends JSON under this type by default.
      done(
        null,
        text.trimStart().startsWith('{') ? parseJson(text) : Object.fromEntries(new URLSearchParams(text)),
      )
    },
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseJson(String(body)))
  })
  nodeRoutes(app, node)
  devRoutes(app, node, wallet, blockMs)
  asset(app, '/style.css', 'text/css; charset=utf-8', STYLE)
  asset(app, '/icon.svg', 'image/svg+xml', ICON)
  explorerPages(app, chain, wallet)
  checkoutPages(app, chain, wallet)
  app.setErrorHandler((error, _request, reply) => {
    const known = devError(error)
    if (known !== null) return reply.code(known.status).send({ error: known.error })
    if (isOutOfRoom(error)) return reply.code(503).send({ error: 'the disk is full; nothing was changed' })
    const { statusCode } = httpError.parse(error)
    const isOurs = statusCode < 400 || statusCode >= 500
    return reply
      .code(isOurs ? 500 : statusCode)
      .send({ error: isOurs ? 'internal error' : 'the request is not valid' })
  })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'there is nothing here' }))
  return app
}

function nodeRoutes(app: FastifyInstance, node: ChainNode): void {
  for (const url of ['/wallet/*', '/walletsolidity/*']) {
    app.route({
      method: ['GET', 'POST'],
      url,
      handler: async (request, reply) => {
        const [path = ''] = request.url.split('?', 1)
        const said = await ask(node, path, fieldsOf(request.query, request.body))
        return said === null ? reply.callNotFound() : sendReply(reply, said)
      },
    })
  }
}

/** Sends what a node says, or nothing: a connection that hangs ends with its client, or with the node. */
function sendReply(reply: FastifyReply, said: Reply): FastifyReply {
  if (!('silence' in said)) return reply.code(said.status).header('content-type', said.type).send(said.body)
  reply.hijack()
  if (said.silence === 'close') reply.raw.destroy()
  return reply
}

function asset(app: FastifyInstance, url: string, type: string, text: string): void {
  app.get(url, async (_request, reply) =>
    reply.header('content-type', type).header('cache-control', 'max-age=300').send(text),
  )
}
