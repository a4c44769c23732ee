/**
 * A route declares what it is, and runs one command or query. This file does the rest, for every call in this order:
 *
 * 1. `access` and `ability`: who may call, before the body is read; `stepUp: 'recent'`: only with a code of late
 * 2. `params`, `body`, `query`: parsed by their schemas
 * 3. `limits`: counted in their order
 * 4. `decision`: the operator's fresh code, used up whatever comes after
 * 5. `transaction: 'idempotent'`: one transaction, with the answer stored under the Idempotency-Key
 * 6. `handler`
 *
 * Whatever is refused on the way is recorded when the route declares `audit`; refused access always is (`audited.ts`). An example:
 *
 *     export const withdrawalsRoutes = routes({
 *       cancelWithdrawal: route({
 *         call: 'POST /withdrawals/withdrawals/:id/cancel/',
 *         summary: 'Cancels a withdrawal that is not decided yet',
 *         tags: ['withdrawals'],
 *         access: 'member',
 *         params: z.object({ id: z.string() }),
 *         response: { 200: withdrawal },
 *         limits: [{ limit: 'codeTries', by: 'member' }],
 *         transaction: 'idempotent',
 *         audit: { action: 'withdrawal.cancel' },
 *         refuses: ['withdrawal_not_found', 'withdrawal_past_cancelling'],
 *         handler: async ({ params }, call) => {
 *           await cancelWithdrawal(call.tx, { memberId: call.caller.memberId, id: readId(params.id) })
 *           return presentWithdrawal(...)
 *         },
 *       }),
 *     })
 *
 * `features.ts` lists what `routes` returns. A route with several statuses returns `{ status, body }`.
 */
import { type Ability, type AuditAction, messageObject, type RefusalCode } from '@aval/contract'
import type { Database, Tx } from '@aval/db'
import { inSpan } from '@aval/tracing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { recordAudit } from '../core/audit.sql.ts'
import type { Context } from '../core/context.ts'
import { type Access, callerOf } from './access.ts'
import { sayingWhoWasFirst } from './acted-before.ts'
import type { Api, FeatureRoutes } from './api.ts'
import { auditRefusals } from './audited.ts'
import { readFormBodies } from './bodies.ts'
import { type Call, callOf, type Transaction } from './call.ts'
import { idempotently } from './idempotency.ts'
import { createLimits, type LimitRule } from './limits.ts'
import { type OpenAnswer, sendOpen } from './open-answer.ts'
import { heldInCookie, type Served, type SessionUse } from './session-cookie.ts'

/** How a decision is called in the audit trail. */
export interface NamedDecision {
  /** `noun.verb`: `pool.fund`. */
  readonly action: AuditAction
  /** `noun:id`: `pool:profit`; as it was sent, it need not exist. */
  readonly subject: string
  /** Whatever explains it; amounts as text. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** What the description of the API says of a route. */
export interface Described {
  /** Its method and path, which begins after `/api`. */
  readonly call: `${'GET' | 'POST' | 'PATCH'} /${string}`
  readonly summary: string
  readonly tags: readonly string[]
  readonly access: Access
  /** Of an operator's call, and of no other: which roles may make it (`packages/contract/src/abilities.ts`). */
  readonly ability?: Ability
  /** The refusals of its own; those of what it declares come by themselves. */
  readonly refuses?: readonly RefusalCode[]
  readonly limits?: readonly LimitRule<never>[]
  readonly transaction?: Transaction
  /** What it does with the session. Tokens that it answers are `IssuedTokens`; our own app gets the refresh token in a cookie. */
  readonly session?: SessionUse
  readonly decision?: unknown
  /**
   * Of an operator's call that changes something and is no `decision`. `recent`: a code that was used up within the last 15 minutes, in
   * this session, stands for one of its own. `none`: it only says what was seen. Every call of operators has one of the three.
   */
  readonly stepUp?: 'recent' | 'none'
  /** Records refusals, with these fields of the body. Never a code. */
  readonly audit?: { readonly action: AuditAction; readonly fields?: readonly string[] }
  readonly params?: z.ZodType
  readonly query?: z.ZodType
  readonly body?: z.ZodType
  /** Takes `multipart/form-data` beside JSON. */
  readonly forms?: true
  /** The content type of an answer that is no JSON; its handler returns a text, bytes or a stream. */
  readonly produces?: string
  /** Its answer stays open: the handler returns an `OpenAnswer`, which takes the connection. Needs `produces`. */
  readonly staysOpen?: true
  /** Its answer is written while it travels: nobody asks for its head alone. The handler may name another content type. */
  readonly streams?: true
  /** An operator who sees the account as its member does gets no answer: it is about what opens the account, or a stream. */
  readonly notInViews?: true
  /** Only reads, so that a replica may answer it (decision 072). */
  readonly replica?: true
  /** Not described: not a call for clients. */
  readonly hidden?: true
}

type Responses = Readonly<Record<number, z.ZodType>>
interface Input<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
}
type IsUnion<T, U = T> = T extends U ? ([U] extends [T] ? false : true) : never
type Answers<R extends Responses> = { [S in keyof R]: { status: S; body: z.output<R[S]> } }[keyof R]
/** The body where there is one status, else the status as well. */
type Returned<R extends Responses> = IsUnion<keyof R> extends true ? Answers<R> : z.output<R[keyof R]>

interface Definition<
  A extends Access,
  R extends Responses,
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  T extends Transaction,
> extends Described {
  readonly access: A
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  readonly response: R
  readonly limits?: readonly LimitRule<Input<z.output<P>, z.output<Q>, z.output<B>>>[]
  /** Runs the handler once for a member and Idempotency-Key. */
  readonly transaction?: T
  /** Confirmed by the code in the body's `otp`, and recorded when it was carried out. */
  readonly decision?: (input: Input<z.output<P>, z.output<Q>, z.output<B>>) => NamedDecision
  /** Bytes of the largest body, where it is not the usual limit. */
  readonly bodyLimit?: number
  readonly handler: (
    input: Input<z.output<P>, z.output<Q>, z.output<B>>,
    call: Call<A, T>,
  ) => Returned<R> | Promise<Returned<R>>
}

/** A declared route, ready to be registered. */
export interface Route {
  readonly forms: boolean
  /** @param operationId its name in the description of the API */
  register(api: Api, context: Context, operationId: string): void
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What a declared route declares, under its name. */
    route?: Described & { readonly operationId: string }
  }
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** A field `otp` of a body, which a schema has parsed. */
function otpOf(body: unknown): string | null {
  const isThere = typeof body === 'object' && body !== null && 'otp' in body
  return isThere && typeof body.otp === 'string' ? body.otp : null
}

async function runDecision(
  api: Api,
  context: Context,
  request: FastifyRequest,
  named: NamedDecision,
  attempt: string | null,
): Promise<Date> {
  // Sessions and codes live by the system's time.
  const at = new Date()
  const { memberId, sessionId } = callerOf(request)
  const { action, subject } = named
  const decision = { memberId, sessionId, otp: otpOf(request.body), attempt, action, subject }
  await api.confirmDecision(context, decision, at)
  return at
}

/** Runs it once for its key; what was decided enters the audit trail with it, and who comes second hears who was first. */
function runOnce(
  context: Context,
  request: FastifyRequest,
  decided: (NamedDecision & { readonly at: Date }) | null,
  handle: (tx: Tx) => Promise<Answer>,
): Promise<Answer> {
  const { memberId } = callerOf(request)
  if (decided === null) return idempotently(context, request, memberId, (tx) => handle(tx))
  const once = idempotently(context, request, memberId, async (tx) => {
    const answer = await handle(tx)
    await recordAudit(tx, { ...decided, actorId: memberId, outcome: 'done' })
    return answer
  })
  const { subject, at: now } = decided
  return sayingWhoWasFirst(context.db, { callerId: memberId, subject, now }, once)
}

function send(
  reply: FastifyReply,
  { status, body }: Answer,
  { produces, staysOpen }: Described,
): FastifyReply {
  if (produces !== undefined && staysOpen) return sendOpen(reply, produces, body as OpenAnswer)
  reply.code(status)
  if (produces !== undefined)
    return (reply.hasHeader('content-type') ? reply : reply.type(produces)).send(body)
  if (typeof body !== 'string') return reply.send(body)
  // The framework sends plain strings unquoted; a sentence travels as one JSON string.
  return reply.type('application/json; charset=utf-8').send(JSON.stringify(body))
}

/** @throws where it is an operator's call that changes something, and says nothing of the code that it takes */
function requireStepUp({ call, access, decision, stepUp }: Described): void {
  const isAct = access === 'operator' && !call.startsWith('GET ')
  const isRight = isAct ? (decision === undefined) !== (stepUp === undefined) : stepUp === undefined
  if (isRight) return
  throw new Error(`${call} has to say which code it takes: a decision, or a stepUp`)
}

/** @throws where it is an operator's call that does not say which roles may make it */
function requireAbility({ call, access, ability }: Described): void {
  if ((access === 'operator') === (ability !== undefined)) return
  throw new Error(`${call} has to say which ability it takes, as operators' calls do and no others`)
}

/** @throws where a replica could not answer it: it has a caller, only reads, and its answer is whole when the handler is done */
function requireRead({ call, access, staysOpen, streams, replica }: Described): void {
  if (!replica || (call.startsWith('GET ') && access !== 'public' && !staysOpen && !streams)) return
  throw new Error(`${call} cannot be answered by a replica`)
}

/** @throws where what it declares does not go together */
function requireSound(declared: Described): void {
  if (declared.decision !== undefined && declared.transaction !== 'idempotent')
    throw new Error(`${declared.call} decides without a transaction`)
  requireAbility(declared)
  requireStepUp(declared)
  requireRead(declared)
}

/** Where the route may be answered by a replica, by that or the primary. */
function readFrom(
  api: Api,
  { replica }: Described,
  request: FastifyRequest,
  primary: Database,
  read: (db: Database) => Promise<Answer>,
): Promise<Answer> {
  return replica ? api.readAnywhere(callerOf(request).place, primary, read) : read(primary)
}

/** In a span of its own. A client's `traceparent` is not taken: strangers would write into our traces. */
async function serve(route: Described, served: Served, run: () => Promise<Answer>): Promise<FastifyReply> {
  const [method = '', path = ''] = route.call.split(' ')
  const attributes = { 'http.request.method': method, 'http.route': `/api${path}` }
  return inSpan(`${method} /api${path}`, { kind: 'server', parent: null, attributes }, async (span) => {
    const answer = await heldInCookie(route.session, served, run)
    span.set('http.response.status_code', answer.status)
    return send(served.reply, answer, route)
  })
}

/** What is parsed and written by, and stands in the description of the API. */
const schemaOf = ({
  hidden,
  params,
  query,
  body,
  produces,
  response,
}: Described & { readonly response: Responses }) => ({
  hide: hidden === true,
  ...(params === undefined ? {} : { params }),
  ...(query === undefined ? {} : { querystring: query }),
  ...(body === undefined ? {} : { body }),
  ...(produces === undefined ? { response } : {}),
})

export function route<
  const A extends Access,
  const R extends Responses,
  P extends z.ZodType = z.ZodUnknown,
  Q extends z.ZodType = z.ZodUnknown,
  B extends z.ZodType = z.ZodUnknown,
  const T extends Transaction = 'none',
>(definition: Definition<A, R, P, Q, B, T>): Route {
  const { call, response, decision, audit, bodyLimit } = definition
  const [method = '', url = ''] = call.split(' ')
  const statuses = Object.keys(response).map(Number)
  const isTransaction = definition.transaction === 'idempotent'
  requireSound(definition)

  const answerOf = (returned: unknown): Answer =>
    statuses.length > 1 ? (returned as Answer) : { status: statuses[0] ?? 200, body: returned }

  return {
    forms: definition.forms === true,
    register(api, context, operationId) {
      const limitsOf = createLimits(api.counts, context.config.limits, operationId, definition.limits)

      async function run(request: FastifyRequest, reply: FastifyReply): Promise<Answer> {
        // The route's own schemas have parsed it.
        const input = request as Input<z.output<P>, z.output<Q>, z.output<B>>
        const limits = limitsOf(request, input)
        await limits.takeAll()
        const call = callOf(context, { request, reply, take: limits.take }, isTransaction)
        const handle = async (tx: unknown, db = context.db) =>
          answerOf(await definition.handler(input, { ...call, db, tx } as Call<A, T>))
        if (!isTransaction) {
          const answer = await readFrom(api, definition, request, context.db, (db) => handle(null, db))
          await limits.succeed()
          return answer
        }
        const named = decision?.(input)
        const decidedAt =
          named === undefined ? null : await runDecision(api, context, request, named, call.attempt)
        await call.now()
        return runOnce(context, request, named && decidedAt ? { ...named, at: decidedAt } : null, handle)
      }

      api.route({
        method,
        url,
        config: { access: definition.access, route: { ...definition, operationId } },
        ...(bodyLimit === undefined ? {} : { bodyLimit }),
        // HEAD would get an answer that never ends, or one that is written for nobody.
        ...(definition.staysOpen || definition.streams ? { exposeHeadRoute: false } : {}),
        ...(audit === undefined ? {} : { onError: auditRefusals(context, audit.action, audit.fields) }),
        schema: schemaOf(definition),
        handler: (request, reply) =>
          serve(definition, { config: context.config, request, reply }, () => run(request, reply)),
      })
    },
  }
}

/** What every call of operators declares. */
export const operator = { access: 'operator', tags: ['operator'] } as const

/** What most calls declare by which operators change something: they are done once a key, and answer with a sentence. */
export const operatorAct = {
  ...operator,
  response: { 200: messageObject },
  transaction: 'idempotent',
} as const

/** Registers routes by their names, in their order; those that take forms in a scope that reads them. */
export function routes(declared: Readonly<Record<string, Route>>): FeatureRoutes {
  return (api, context) => {
    const all = Object.entries(declared)
    for (const [name, each] of all) if (!each.forms) each.register(api, context, name)
    const withForms = all.filter(([, { forms }]) => forms)
    if (withForms.length === 0) return
    api.register(async (scope) => {
      const own: Api = scope.withTypeProvider()
      await readFormBodies(own)
      for (const [name, each] of withForms) each.register(own, context, name)
    })
  }
}
