/** The HTTP face of a node: its API, the event service, the development calls, the pages. */
import Fastify, { type FastifyInstance } from 'fastify'
import type { DevWallet } from '../chain/dev-wallet.ts'
import type { ChainNode } from '../node/node.ts'
import { ask } from './ask.ts'
import { devError, devRoutes } from './dev.ts'
import { eventRoutes } from './events.ts'
import { fieldsOf, isRecord, parseJson } from './fields.ts'
import { faultRoutes } from './node-faults.ts'
import { pageRoutes } from './pages/routes.ts'
import { sendReply } from './send-reply.ts'

const BODY_LIMIT = 1024 * 1024

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
  eventRoutes(app, node)
  faultRoutes(app, node)
  devRoutes(app, chain, wallet, blockMs)
  pageRoutes(app, chain, wallet)
  app.setErrorHandler((error, _request, reply) => {
    const known = devError(error)
    if (known !== null) return reply.code(known.status).send({ error: known.error })
    const { statusCode } = asHttpError(error)
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
        const said = await ask(node, path, fieldsOf(request))
        return said === null ? reply.callNotFound() : sendReply(reply, said)
      },
    })
  }
}

function asHttpError(error: unknown): { statusCode: number } {
  if (isRecord(error) && typeof error['statusCode'] === 'number') return { statusCode: error['statusCode'] }
  return { statusCode: 500 }
}
