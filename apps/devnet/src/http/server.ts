/** The HTTP face of the chain: the node's API, the event service, the development calls, the pages. */
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Chain, View } from '../chain/chain.ts'
import type { DevWallet } from '../chain/dev-wallet.ts'
import { complaintJson, flag, type Question } from './answers.ts'
import { devError, devRoutes } from './dev.ts'
import { eventRoutes } from './events.ts'
import { pageRoutes } from './pages/routes.ts'
import { type Answer, FULL_NODE_READS, READS } from './reads.ts'
import { TRIALS, WRITES } from './writes.ts'

const BODY_LIMIT = 1024 * 1024

const FULL_NODE: Readonly<Record<string, Answer>> = { ...READS, ...FULL_NODE_READS, ...TRIALS, ...WRITES }
const SOLID_NODE: Readonly<Record<string, Answer>> = { ...READS, ...TRIALS }

/** Builds the server; it does not listen yet. `blockMs` 0 means that blocks are made by call only. */
export function buildServer(chain: Chain, wallet: DevWallet, blockMs: number): FastifyInstance {
  const app = Fastify({ bodyLimit: BODY_LIMIT, forceCloseConnections: true, logger: false })
  app.removeAllContentTypeParsers()
  // java-tron looks at no content type; forms are what our own pages send.
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => {
      const text = String(body)
      // curl sends JSON under this type when nobody tells it otherwise.
      done(
        null,
        text.trimStart().startsWith('{') ? parseJson(text) : Object.fromEntries(new URLSearchParams(text)),
      )
    },
  )
  app.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) => {
    done(null, parseJson(String(body)))
  })
  nodeRoutes(app, chain, '/wallet/', FULL_NODE, 'head')
  nodeRoutes(app, chain, '/walletsolidity/', SOLID_NODE, 'solid')
  eventRoutes(app, chain)
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

function nodeRoutes(
  app: FastifyInstance,
  chain: Chain,
  prefix: string,
  answers: Readonly<Record<string, Answer>>,
  view: View,
): void {
  for (const [name, answer] of Object.entries(answers)) {
    app.route({
      method: ['GET', 'POST'],
      url: prefix + name,
      handler: async (request, reply) => {
        let body: string
        try {
          body = await answer(chain, questionOf(request, view))
        } catch (error) {
          body = complaintJson(error)
        }
        return reply.header('content-type', 'application/json; charset=utf-8').send(body)
      },
    })
  }
}

function questionOf(request: FastifyRequest, view: View): Question {
  const body = isRecord(request.body) ? request.body : {}
  const query = isRecord(request.query) ? request.query : {}
  const fields: Record<string, unknown> = { ...query, ...body }
  const visible = flag.safeParse(fields['visible'])
  return { fields, visible: visible.success && visible.data, view }
}

/** Text that is no JSON is no body: the question is answered as one that lacks every field. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function asHttpError(error: unknown): { statusCode: number } {
  if (isRecord(error) && typeof error['statusCode'] === 'number') return { statusCode: error['statusCode'] }
  return { statusCode: 500 }
}
