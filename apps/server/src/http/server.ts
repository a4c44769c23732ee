/** The HTTP server: everything that is the same for every call. Features bring their routes. */
import { constants } from 'node:zlib'
import type { Patience } from '@aval/db'
import compress from '@fastify/compress'
import helmet from '@fastify/helmet'
import Fastify, { LogController } from 'fastify'
import { serializerCompiler, validatorCompiler, type ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Config } from '../config.ts'
import type { Context } from '../core/context.ts'
import { Refusal } from '../core/refusal.ts'
import type { Replica } from '../core/replica.ts'
import { guard } from './access.ts'
import type { Api, ConfirmDecision, FeatureRoutes } from './api.ts'
import { auditAccess } from './audited.ts'
import { BODY_LIMIT, readJsonBodies } from './bodies.ts'
import { openCounts } from './counts.ts'
import { onError, onMissing, onNoRequest } from './errors.ts'
import { loggedError } from './logged-error.ts'
import { measure } from './metrics.ts'
import { describeCalls } from './openapi.ts'
import { bareHeaders, DATA_POLICY, PERMISSIONS, pagePolicy } from './policy.ts'
import { readPrimary, readReplica } from './replica-reads.ts'
import { serveSecurityText } from './security-text.ts'
import { serveWeb } from './web.ts'

/** What the server is made of besides the features' routes. */
export interface Parts {
  readonly confirmDecision: ConfirmDecision
  /** What stands beside the web app. */
  readonly pages?: readonly FeatureRoutes[]
  /** How soon a database that does not answer counts as lost; patiently where nobody says. */
  readonly patience?: Patience
  /** Closed with the server. */
  readonly replica?: Replica
}

/** Headers of every answer, pages or not. */
async function protect(app: Api, { publicUrl }: Config): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: pagePolicy(publicUrl),
    strictTransportSecurity: publicUrl.startsWith('https:'),
  })
  app.addHook('onRequest', async (request, reply) => {
    reply.header('permissions-policy', PERMISSIONS)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1')
      throw new Refusal('input_invalid')
  })
}

/**
 * Answers of some size travel compressed. What a stranger can make a member's browser ask for carries no token, so there
 * is no answer whose length would tell a stranger something. Requests are never unpacked: a small one could be huge.
 */
async function compressAnswers(app: Api): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: 2048,
    encodings: ['br', 'gzip'],
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } },
    customTypes: /^(application\/(problem\+)?json|application\/x-ndjson|text\/(html|csv|plain))/,
  })
}

function bare(config: Config): Api {
  const app = Fastify({
    logger: {
      level: config.logLevel,
      serializers: { err: loggedError },
      // Its own stream ends the process, or hangs, when the disk takes no more.
      stream: { write: (line: string) => void process.stdout.write(line) },
    },
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT,
    // Counted from us outward: the socket is hop 0.
    trustProxy: (_address: string, hop: number) => hop < config.trustedProxies,
    routerOptions: { ignoreTrailingSlash: true, ignoreDuplicateSlashes: false, maxParamLength: 200 },
    requestTimeout: 30_000,
    // We refuse it ourselves: Node's own answer has none of our headers.
    http: { requireHostHeader: false },
    clientErrorHandler: onNoRequest(bareHeaders(config.publicUrl)),
    // No hook has seen such a request.
    frameworkErrors: (error, request, reply) => {
      onError(error, request, reply.headers(bareHeaders(config.publicUrl)))
    },
  }).withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  app.setErrorHandler(onError)
  app.decorate('publicUrl', config.publicUrl)
  return app
}

/** Builds the server with these features; nothing listens yet. */
export async function buildServer(
  context: Context,
  features: readonly FeatureRoutes[],
  { confirmDecision, pages = [], patience, replica }: Parts,
): Promise<Api> {
  const app = bare(context.config)
  app.decorate('confirmDecision', confirmDecision)
  const counts = openCounts(context.config, patience)
  app.decorate('counts', counts)
  app.addHook('onClose', () => counts.close())
  readJsonBodies(app)
  await protect(app, context.config)
  await compressAnswers(app)
  measure(app)
  app.decorate('readAnywhere', replica === undefined ? readPrimary : readReplica(app.metrics, replica))
  if (replica !== undefined) app.addHook('onClose', () => replica.close())
  await describeCalls(app, context.config)
  await app.register(
    async (scope) => {
      const api = scope.withTypeProvider<ZodTypeProvider>()
      // Answers are about one member's money: nothing between us keeps them, and none is a page. A route may say otherwise.
      api.addHook('onRequest', async (_request, reply) => {
        reply.headers({ 'cache-control': 'no-store', 'content-security-policy': DATA_POLICY })
      })
      guard(api, context)
      api.addHook('onError', auditAccess(context))
      for (const feature of features)
        await api.register(async (own) => feature(own.withTypeProvider(), context))
    },
    { prefix: '/api' },
  )
  for (const page of pages) await app.register(async (own) => page(own.withTypeProvider(), context))
  serveSecurityText(app, context.config)
  if (context.config.webDist === null) app.setNotFoundHandler(onMissing)
  else await serveWeb(app, context.config.webDist, context.config.publicUrl)
  return app
}
