/** OpenAPI 3.1, generated from what the routes declare and from the schemas that check their calls. */
import { problem, REFUSALS, type RefusalCode } from '@aval/contract'
import swagger from '@fastify/swagger'
import type { RouteOptions } from 'fastify'
import { jsonSchemaTransform } from 'fastify-type-provider-zod'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { MESSAGES } from '../core/messages.ts'
import type { Api } from './api.ts'
import { serveDocs } from './docs-page.ts'
import { codeOfField } from './errors.ts'
import { bodyExample, exampleOf, type JsonSchema } from './examples.ts'
import type { Described } from './route.ts'

const PREFIX = '/api/docs'

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A repeated call with the same key gets the first answer.',
  schema: { type: 'string', minLength: 1, maxLength: 200 },
  example: 'b7a2c9d0-invest-1',
}

const TAGS: Readonly<Record<string, string>> = {
  accounts: 'Registering, signing in, the profile and the security of an account',
  dashboard: 'A member at a glance',
  demo: 'The clock of the local demo',
  earnings: 'What a member was paid, and why',
  events: 'That something changed, as it happens',
  genealogy: 'The trees of sponsors and places',
  health: 'Probes for what supervises the server',
  investments: 'Paying in',
  operator: 'Calls of operators, who signed in with a second factor',
  payments: 'What a member was paid, and why',
  plans: 'Investing',
  privacy: 'What is kept of a member: all of it as a file, and closing the account',
  reserves: 'What the company holds against what it owes',
  support: 'Conversations with support',
  withdrawals: 'Taking money out',
}

interface Content {
  schema?: JsonSchema
  example?: unknown
  examples?: unknown
}

interface Answer {
  description?: string
  content?: Record<string, Content>
}

interface Operation {
  operationId?: string
  summary?: string
  tags?: string[]
  parameters?: { name: string; in: string; schema?: JsonSchema; example?: unknown }[]
  requestBody?: { content?: Record<string, Content> }
  responses?: Record<string, Answer>
}

interface Document {
  tags?: { name: string; description: string }[]
  paths?: Record<string, Record<string, Operation>>
  components?: { schemas?: Record<string, unknown> }
}

const DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'The input is not valid',
  401: 'Not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'In conflict with something that happened before',
  413: 'The body is too large',
  415: 'The content type is not read',
  422: 'Refused by a business rule',
  429: 'Too many requests; `Retry-After` says for how many seconds',
  500: 'A fault of the server',
  503: 'The server cannot reach its database; `Retry-After` says when to try again',
}

const MENTIONED: Readonly<Record<string, string>> = {
  field: 'amount',
  seconds: '30',
  number: '17',
  reason: 'It was sent twice.',
  until: '2026-05-06 15:00',
}

/** A refusal's sentence, with something in the place of what it mentions. */
const sentenceExample = (code: RefusalCode) =>
  MESSAGES.en[code].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => MENTIONED[name] ?? '100.00')

/** One status in both forms, with the codes that it can carry. */
function refusedWith(status: number, codes: readonly RefusalCode[]): Answer {
  const [first = 'unexpected'] = codes
  const detail = sentenceExample(first)
  return {
    description: `${DESCRIPTIONS[status] ?? 'Refused'}: ${codes.map((code) => `\`${code}\``).join(', ')}`,
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Sentence' }, example: detail },
      'application/problem+json': {
        schema: {
          allOf: [
            { $ref: '#/components/schemas/Problem' },
            { type: 'object', properties: { code: { enum: [...codes] } } },
          ],
        },
        example: { type: 'about:blank', title: DESCRIPTIONS[status], status, detail, code: first },
      },
    },
  }
}

const isCode = (text: unknown): text is RefusalCode =>
  typeof text === 'string' && Object.hasOwn(REFUSALS, text)

/** Whatever may hold schemas, or the messages of checks, in zod's definition of a schema. */
function partsOf(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return []
  return Array.isArray(value) ? value : Object.values(value)
}

/** The names of fields in a schema, and the codes that its own checks name. */
function readSchema(schema: unknown, seen: Set<unknown>, codes: Set<RefusalCode>): void {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return
  seen.add(schema)
  const definition = '_zod' in schema ? (schema as z.ZodType)._zod.def : null
  if (definition === null) {
    for (const part of partsOf(schema)) readSchema(part, seen, codes)
    return
  }
  const { error } = definition
  const message =
    typeof error === 'function' && error.length === 0 ? Reflect.apply(error, undefined, []) : null
  if (isCode(message)) codes.add(message)
  if (schema instanceof z.ZodObject)
    for (const name of Object.keys(schema.shape)) {
      const code = codeOfField(name)
      if (code !== null) codes.add(code)
    }
  for (const part of partsOf(definition)) readSchema(part, seen, codes)
}

const BY_ACCESS: Readonly<Record<Described['access'], readonly RefusalCode[]>> = {
  public: [],
  member: ['not_signed_in', 'session_idle', 'session_expired'],
  operator: [
    'not_signed_in',
    'session_idle',
    'session_expired',
    'not_allowed',
    'role_not_allowed',
    'two_factor_required',
  ],
}

/** The codes that a declared route can refuse with, in the order of their statuses. */
function refusalsOf(route: Described): RefusalCode[] {
  const { params, query, body } = route
  const codes = new Set<RefusalCode>(BY_ACCESS[route.access])
  for (const schema of [params, query, body]) readSchema(schema, new Set(), codes)
  const add = (...more: RefusalCode[]) => {
    for (const code of more) codes.add(code)
  }
  add('input_invalid', 'unexpected', 'unavailable')
  if (params !== undefined) add('not_found')
  if (codes.has('page_invalid')) add('page_not_found')
  if (!route.call.startsWith('GET ')) add('json_invalid', 'body_too_large', 'media_type_unsupported')
  if (body !== undefined || query !== undefined) add('field_required')
  const isCounted = route.call.startsWith('GET ') && route.access !== 'public' && route.staysOpen !== true
  if (route.session !== undefined) add('not_allowed')
  if (route.limits !== undefined || isCounted) add('too_many_requests')
  if (route.transaction === 'idempotent') add('idempotency_key_invalid', 'idempotency_key_reused')
  if (route.decision !== undefined)
    add('otp_required', 'otp_invalid', 'two_factor_required', 'too_many_requests')
  if (route.stepUp === 'recent') add('elevation_required')
  add(...(route.refuses ?? []))
  return [...codes].sort((a, b) => REFUSALS[a] - REFUSALS[b])
}

function addErrors(operation: Operation, codes: readonly RefusalCode[]): void {
  const byStatus = Map.groupBy(codes, (code) => REFUSALS[code])
  const errors = [...byStatus].map(([status, own]) => [status, refusedWith(status, own)] as const)
  operation.responses = { ...operation.responses, ...Object.fromEntries(errors) }
}

function addExamples(operation: Operation): void {
  for (const parameter of operation.parameters ?? [])
    parameter.example ??= exampleOf(parameter.schema ?? {}, parameter.name)
  for (const content of Object.values(operation.requestBody?.content ?? {}))
    content.example = bodyExample(content.schema ?? {})
  for (const response of Object.values(operation.responses ?? {}))
    for (const content of Object.values(response.content ?? {}))
      content.example ??= exampleOf(content.schema ?? {}, '')
}

/** What every operation has beyond its schemas: its errors, examples and the Idempotency-Key. */
function complete(document: Document, declared: ReadonlyMap<string, Described>): void {
  const used = new Set<string>()
  for (const path of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(path)) {
      const route = declared.get(operation.operationId ?? '')
      for (const [status, response] of Object.entries(operation.responses ?? {}))
        if (Number(status) < 300) response.description = 'Done'
      if (route === undefined) continue
      addErrors(operation, refusalsOf(route))
      if (route.transaction === 'idempotent')
        operation.parameters = [...(operation.parameters ?? []), IDEMPOTENCY_KEY]
      addExamples(operation)
      for (const tag of operation.tags ?? []) used.add(tag)
    }
  }
  document.tags = [...used].sort().map((name) => ({ name, description: TAGS[name] ?? name }))
  const { $schema: _, ...problemSchema } = z.toJSONSchema(problem)
  document.components = {
    ...document.components,
    schemas: {
      ...document.components?.schemas,
      Problem: { ...problemSchema, description: 'RFC 9457, for clients that accept it.' },
      Sentence: { type: 'string', description: 'One sentence in the language of the request.' },
    },
  }
}

/** What the generator reads of a route. */
function describe(
  input: Parameters<typeof jsonSchemaTransform>[0],
  config: RouteOptions['config'],
): ReturnType<typeof jsonSchemaTransform> {
  const route = config?.route
  const produced =
    route?.produces === undefined
      ? {}
      : { response: { 200: { description: 'Done', content: { [route.produces]: { schema: z.string() } } } } }
  const { schema, url } = jsonSchemaTransform({ ...input, schema: { ...input.schema, ...produced } })
  const hide = schema?.hide === true || !url.startsWith('/api/') || url.startsWith(PREFIX)
  const security = config?.access === 'public' || config?.access === undefined ? [] : [{ bearer: [] }]
  const own =
    route === undefined
      ? {}
      : { operationId: route.operationId, summary: route.summary, tags: [...route.tags] }
  const consumes = route?.forms === true ? { consumes: ['application/json', 'multipart/form-data'] } : {}
  const isFile = /\.\w+$/.test(url)
  return {
    schema: { ...schema, ...own, ...consumes, hide, security },
    url: url.endsWith('/') || isFile ? url : `${url}/`,
  }
}

/** Registered before the routes: it collects them as they come. */
export async function describeCalls(app: Api, config: Config): Promise<void> {
  const declared = new Map<string, Described>()
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Aval',
        version: '1',
        description: 'Amounts are decimal strings in USDT; dates are UTC.',
        license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
      },
      servers: [{ url: config.publicUrl }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
    },
    transform: (input) => {
      const { config: own } = input.route
      if (own?.route !== undefined) declared.set(own.route.operationId, own.route)
      return describe(input, own)
    },
  })
  let text: string | null = null
  const document = () => {
    if (text === null) {
      const described: Document = JSON.parse(JSON.stringify(app.swagger()))
      complete(described, declared)
      text = JSON.stringify(described)
    }
    return text
  }
  app.get(`${PREFIX}/openapi.json`, (_request, reply) => {
    reply.type('application/json; charset=utf-8').send(document())
  })
  serveDocs(app, PREFIX, config.publicUrl)
}
