/** Who may call what. Every route says it; there is no default. */
import { may, type OperatorRole } from '@aval/contract'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { readAccess } from '../core/access-token.ts'
import type { Context } from '../core/context.ts'
import { endOfOperatorSession, isActDue, type OperatorSession } from '../core/operator-session.rules.ts'
import { Refusal } from '../core/refusal.ts'
import type { LogPlace } from '../core/replica.ts'
import { isViewToken } from '../core/view-token.ts'
import { recordAct, selectCaller } from './access.sql.ts'
import type { Api } from './api.ts'
import { createReadLimit } from './reads.ts'
import { enterView } from './views.ts'

export type Access = 'public' | 'member' | 'operator'

/** The signed-in member behind a request. */
export interface Caller {
  readonly memberId: bigint
  readonly sessionId: string
  /** System time, in milliseconds, from which the access token is good no more. */
  readonly accessUntil: number
  readonly username: string
  /** In which the member reads times. */
  readonly timeZone: string
  /** As where figures are written for the member; null where none was said. */
  readonly region: string | null
  readonly isOperator: boolean
  /** Of an operator; null of everybody else. */
  readonly role: OperatorRole | null
  readonly isFundator: boolean
  /** Whether this session began with a code, too. */
  readonly secondFactor: boolean
  /** Until when a code that was used up stands for calls with `stepUp: 'recent'`; null where none does. */
  readonly elevatedUntil: Date | null
  /** The operator who sees the account as its member does, and can only read; null where the member calls. */
  readonly viewer: bigint | null
  /** Up to where the primary's log was on the disk when the call began: what may be answered to it lies before. */
  readonly place: LogPlace
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access: Access
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

const LEVELS: readonly string[] = ['public', 'member', 'operator'] satisfies Access[]
const BEARER = /^Bearer ([\w-]{1,2000}\.[\w-]{1,2000}\.[\w-]{1,2000})$/i

/** The token of an Authorization header; null where there is none. */
export function bearerOf(header: string | undefined): string | null {
  return BEARER.exec(header ?? '')?.[1] ?? null
}

async function findCaller(
  context: Context,
  token: string | null,
): Promise<(Caller & OperatorSession & { readonly takesNoWrites: boolean }) | null> {
  if (token === null) return null
  const claims = await readAccess(context.config.jwtKey, token)
  if (claims === null) return null
  const row = await selectCaller(context.db, claims.memberId, claims.sessionId)
  if (row === undefined) return null
  const { username, time_zone: timeZone, region, is_fundator: isFundator } = row
  // The table holds no other.
  const role = row.operator_role as OperatorRole | null
  const { started_at: startedAt, acted_at: actedAt, elevated_until: elevatedUntil } = row
  const session = { secondFactor: row.second_factor_at !== null, startedAt, actedAt, elevatedUntil }
  return {
    ...claims,
    username,
    timeZone,
    region,
    isOperator: role !== null,
    role,
    isFundator,
    viewer: null,
    place: row.place,
    takesNoWrites: row.takes_no_writes,
    ...session,
  }
}

function refuseUndeclared(route: RouteOptions): void {
  const access: unknown = route.config?.access
  if (typeof access !== 'string' || !LEVELS.includes(access))
    throw new Error(`${String(route.method)} ${route.url} does not say who may call it`)
}

/** What every view is. */
const NO_OPERATOR = { isOperator: false, role: null, secondFactor: false, elevatedUntil: null } as const

/** Whether a person caused the call, as far as its client says. A stream is opened again by itself. */
const isAct = ({ headers, routeOptions }: FastifyRequest): boolean =>
  headers['aval-background'] !== '1' && routeOptions.config.route?.staysOpen !== true

/** A stream is opened once and stays: it is no read. */
const isRead = ({ method, routeOptions }: FastifyRequest): boolean =>
  (method === 'GET' || method === 'HEAD') && routeOptions.config.route?.staysOpen !== true

/**
 * Guards every route that this scope registers from here on, before its body is read, and counts what a member reads. On public routes the Authorization
 * header decides nothing, unless it is of a view, which only reads: clients that are logged out send `Bearer null`. Sessions of operators are shorter (decision 052).
 */
export function guard(api: Api, context: Context): void {
  const takeRead = createReadLimit(context.config.limits.reads)
  api.decorateRequest('caller', null)
  api.addHook('onRoute', refuseUndeclared)
  api.addHook('onRequest', async (request) => {
    const { access } = request.routeOptions.config
    const now = new Date()
    const token = bearerOf(request.headers.authorization)
    if (token !== null && isViewToken(token)) {
      const seen = await enterView(context, request, token, now)
      if (seen !== null) takeRead(seen.viewer, now.getTime())
      request.caller = seen === null ? null : { ...seen, ...NO_OPERATOR }
      return
    }
    if (access === 'public') return
    const caller = await findCaller(context, token)
    if (caller === null) throw new Refusal('not_signed_in')
    const end = caller.isOperator ? endOfOperatorSession(caller, now) : null
    if (end !== null) throw new Refusal(end)
    if (access === 'operator' && !caller.isOperator) throw new Refusal('not_allowed')
    if (access === 'operator' && !caller.secondFactor) throw new Refusal('two_factor_required')
    const { ability } = request.routeOptions.config.route ?? {}
    if (ability !== undefined && !may(caller.role, ability)) throw new Refusal('role_not_allowed')
    if (request.routeOptions.config.route?.stepUp === 'recent' && (caller.elevatedUntil ?? 0) <= now)
      throw new Refusal('elevation_required')
    request.caller = caller
    if (isRead(request)) takeRead(caller.memberId, now.getTime())
    // While the database takes no writes reads are answered all the same: the session then ends earlier.
    if (caller.isOperator && isAct(request) && isActDue(caller, now) && !caller.takesNoWrites)
      await recordAct(context.db, caller.memberId, caller.sessionId, now)
  })
}

/** The member who calls. @throws on a public route: nobody is looked up there. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  if (request.caller === null) throw new Error('a public route has no caller')
  return request.caller
}
