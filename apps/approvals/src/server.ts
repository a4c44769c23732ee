/**
 * The process behind the approvals page: serves the page's pinned files, reads the list, takes approvals in.
 *
 * It asks nobody to sign in and decides nothing: what it takes in is worth something only once the signer has verified it. What it
 * shows is the company's business, so it listens on this machine alone unless its settings say otherwise.
 */
import { listOf, listOfDecisions } from '@aval/approvals'
import { constraintOf, type Database } from '@aval/db'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { selectApproval, submitApproval, submitDecisions } from './approvals.sql.ts'
import { approvalNumber, decisionSubmission, submission } from './calls.ts'
import type { Config } from './config.ts'
import { headersOf, onNoRequest } from './headers.ts'
import { hostKind, isFromPage } from './hosts.rules.ts'
import { createListing } from './listing.ts'
import { AlteredFile, type PinnedFiles } from './pinned-files.ts'

export interface Parts {
  readonly config: Config
  readonly db: Database
  readonly files: PinnedFiles
  /** System time, in milliseconds. */
  readonly now: () => number
  /** Writes what went wrong into the log. */
  readonly report: (what: string) => void
}

/** Ten thousand rows with room to spare. */
const BODY_LIMIT = 2_500_000
/** Per minute and address. A proxy in front is one address, so these end floods rather than people. */
const READS = { points: 600, duration: 60 }
const WRITES = { points: 30, duration: 60 }

/** A refusal with a stable name, for which the page has a sentence. */
class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number
  readonly code: string

  constructor(status: number, code: string) {
    super(code)
    this.status = status
    this.code = code
  }
}

const refuse = (reply: FastifyReply, status: number, code: string) => reply.code(status).send({ code })

/** Takes one from the caller's share. @throws Refused `too_many_requests` */
async function take(limiter: RateLimiterMemory, request: FastifyRequest): Promise<void> {
  await limiter.consume(request.ip).catch(() => {
    throw new Refused(429, 'too_many_requests')
  })
}

function guard(app: FastifyInstance, { config }: Parts): void {
  const headers = headersOf(config.url)
  const reads = new RateLimiterMemory(READS)
  const writes = new RateLimiterMemory(WRITES)
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers)
    const kind = hostKind(request.headers.host, config.url)
    if (kind === 'other') throw new Refused(421, 'wrong_host')
    // Under an IP address there is the page, which says where to go, and no data.
    if (kind === 'address' && request.url.startsWith('/api/') && request.url !== '/api/settings/')
      throw new Refused(421, 'wrong_host')
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    await take(isRead ? reads : writes, request)
    if (!isRead && !isFromPage(request.headers.origin, config.url)) throw new Refused(403, 'wrong_page')
  })
}

function addErrors(app: FastifyInstance, { report }: Parts): void {
  app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
    if (error instanceof Refused) return refuse(reply, error.status, error.code)
    if (error instanceof AlteredFile) {
      report(error.message)
      return refuse(reply, 500, 'file_altered')
    }
    const { statusCode = 500 } = error
    if (statusCode === 413) return refuse(reply, 413, 'too_large')
    if (statusCode < 500) return refuse(reply, statusCode, 'bad_request')
    report(error.stack ?? error.message)
    return refuse(reply, 500, 'unexpected')
  })
  app.setNotFoundHandler((_request, reply) => refuse(reply, 404, 'not_found'))
}

function addFiles(app: FastifyInstance, { files }: Parts): void {
  const send = async (path: string, reply: FastifyReply) => {
    const file = await files.read(path)
    return file === null ? refuse(reply, 404, 'not_found') : reply.type(file.type).send(file.content)
  }
  app.get('/', (_request, reply) => send('index.html', reply))
  app.get<{ Params: { '*': string } }>('/*', (request, reply) => send(request.params['*'], reply))
}

/** By the name of the database's rule that refused it. */
const REFUSED_BY: Readonly<Record<string, string>> = {
  approval_nonce_used_once: 'approval_used',
  approval_by_an_operator: 'not_an_operator',
  approval_ends_soon: 'approval_expired',
  approvals_waiting: 'too_many_waiting',
}

async function takeIn({ config, db }: Parts, body: unknown): Promise<{ id: string }> {
  const parsed = submission.safeParse(body)
  if (!parsed.success) throw new Refused(400, 'bad_request')
  const { operator, nonce, root, proof, expires_at: expires } = parsed.data
  const rows = parsed.data.rows.map((row) => ({
    withdrawalId: row.id,
    memberId: row.member,
    amount: row.amount,
    fee: row.fee,
    wallet: row.wallet,
  }))
  // The signer computes it again. Here it saves an operator from waiting for a refusal.
  if (listOf(rows).root !== root) throw new Refused(400, 'list_differs')
  const shared = { operator, network: config.network, nonce, root, proof, rows }
  return stored(() => submitApproval(db, { ...shared, expiresAt: new Date(expires) }))
}

async function takeInDecisions({ config, db }: Parts, body: unknown): Promise<{ id: string }> {
  const parsed = decisionSubmission.safeParse(body)
  if (!parsed.success) throw new Refused(400, 'bad_request')
  const { operator, nonce, root, proof, expires_at: expires } = parsed.data
  const rows = parsed.data.rows.map(({ id, ...row }) => ({ ...row, decisionId: id }))
  if (listOfDecisions(rows).root !== root) throw new Refused(400, 'list_differs')
  const shared = { operator, network: config.network, nonce, root, proof, rows }
  return stored(() => submitDecisions(db, { ...shared, expiresAt: new Date(expires) }))
}

/** @throws Refused by the name of the database's rule */
async function stored(storing: () => Promise<string>): Promise<{ id: string }> {
  try {
    return { id: await storing() }
  } catch (error) {
    const code = REFUSED_BY[constraintOf(error) ?? '']
    if (code === undefined) throw error
    throw new Refused(409, code)
  }
}

function addCalls(app: FastifyInstance, parts: Parts): void {
  const { config, db, files, now } = parts
  const listing = createListing(db, now)
  app.get('/api/settings/', async () => ({
    url: config.url.origin,
    network: config.network,
    offline: config.offline,
    page: files.fingerprint,
  }))
  app.get('/api/list/', async (request, reply) => {
    const { body, tag } = await listing()
    reply.headers({ etag: tag, 'cache-control': 'no-cache', 'x-now': String(now()) })
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.type('application/json; charset=utf-8').send(body)
  })
  app.post('/api/approvals/', async (request, reply) =>
    reply.code(201).send(await takeIn(parts, request.body)),
  )
  app.post('/api/decisions/', async (request, reply) =>
    reply.code(201).send(await takeInDecisions(parts, request.body)),
  )
  app.get<{ Params: { id: string } }>('/api/approvals/:id/', async (request, reply) => {
    const id = approvalNumber.safeParse(request.params.id)
    const state = id.success ? await selectApproval(db, id.data) : undefined
    return state === undefined ? refuse(reply, 404, 'not_found') : state
  })
}

/** Nothing listens yet. */
export function buildServer(parts: Parts): FastifyInstance {
  const headers = headersOf(parts.config.url)
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: 30_000,
    routerOptions: { maxParamLength: 100 },
    clientErrorHandler: onNoRequest(headers),
    // No hook has seen such a request.
    frameworkErrors: (_error, _request, reply) => {
      void refuse(reply.headers(headers), 400, 'bad_request')
    },
  })
  // A form of a stranger's page can send text, not JSON.
  app.removeContentTypeParser('text/plain')
  guard(app, parts)
  addErrors(app, parts)
  addCalls(app, parts)
  addFiles(app, parts)
  return app
}
