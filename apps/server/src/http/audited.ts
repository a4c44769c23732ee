/**
 * Refusals that stand in the audit trail: of calls about money, also of input that never reached a command; and of access, whatever
 * the call: to operators' calls by somebody else, and to a thing by a number that is not the caller's to name.
 */
import { type AuditAction, REFUSALS, type RefusalCode } from '@aval/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAccess } from '../core/access-token.ts'
import { type AuditEntry, recordAudit } from '../core/audit.sql.ts'
import type { Context } from '../core/context.ts'
import type { Limit } from '../core/limits.ts'
import { Refusal } from '../core/refusal.ts'
import { bearerOf } from './access.ts'
import { countHere, type RateLimit } from './counts.ts'
import { troubleOf } from './errors.ts'

/** What says nothing about the caller, comes too often, or is written down where a second factor is weighed. */
const UNTOLD: readonly RefusalCode[] = [
  'too_many_requests',
  'unavailable',
  'unexpected',
  'not_found',
  'otp_required',
  'otp_invalid',
  'two_factor_required',
]
/** Of one member; one who tries more often than that stands in the trail often enough. */
const MOST: Limit = { points: 100, seconds: 15 * 60 }
/** The same for access, all calls together. */
const MOST_OF_ACCESS: Limit = { points: 30, seconds: 60 * 60 }
const LONGEST = 80

/** A field of the body as it was sent, cut short. Codes are never among those asked for. */
function sent(body: unknown, name: string): string | null {
  if (body === null || typeof body !== 'object' || !Object.hasOwn(body, name)) return null
  const value = (body as Record<string, unknown>)[name]
  return typeof value === 'object' ? null : String(value).slice(0, LONGEST)
}

/** Who calls: also over a session that has ended, which the token still names. */
async function actorOf(context: Context, request: FastifyRequest): Promise<bigint | null> {
  if (request.caller !== null) return request.caller.viewer ?? request.caller.memberId
  const token = bearerOf(request.headers.authorization)
  const claims = token === null ? null : await readAccess(context.config.jwtKey, token)
  return claims?.memberId ?? null
}

type Recorded = Pick<AuditEntry, 'action' | 'subject' | 'details'>

/** Records a refusal. Strangers, whose tokens are nobody's, leave nothing, and nobody more than the limit. */
async function recordRefusal(
  context: Context,
  request: FastifyRequest,
  often: RateLimit,
  tell: (actorId: bigint) => Recorded,
): Promise<void> {
  try {
    const actorId = await actorOf(context, request)
    if (actorId === null) return
    const entry = tell(actorId)
    await often.take(String(actorId))
    await recordAudit(context.db, { at: new Date(), actorId, outcome: 'refused', ...entry })
  } catch (failure) {
    // The answer is the refusal, whether or not it could be written down. One who tries too often stands in the trail already.
    if (failure instanceof Refusal) return
    request.log.warn({ err: failure, route: request.routeOptions.url }, 'a refusal was not recorded')
  }
}

/**
 * A hook for a route: whatever it refuses is recorded under this action, with what was asked for.
 * @param fields of the body to be kept; never a code
 */
export function auditRefusals(context: Context, action: AuditAction, fields: readonly string[] = []) {
  const often = countHere(MOST)
  return async (request: FastifyRequest, _reply: FastifyReply, error: unknown): Promise<void> => {
    const { code } = troubleOf(error, request)
    if (UNTOLD.includes(code)) return
    const { id } = request.params as { id?: string }
    const asked = fields.flatMap((name) => {
      const value = sent(request.body, name)
      return value === null ? [] : [[name, value]]
    })
    await recordRefusal(context, request, often, (actorId) => ({
      action,
      subject: id === undefined ? `member:${actorId}` : `${action.split('.')[0]}:${id.slice(0, LONGEST)}`,
      details: { code, ...Object.fromEntries(asked) },
    }))
  }
}

/** Whether a refusal says that the caller may not, or that there is no such thing of the caller's. */
function isAboutAccess(code: RefusalCode, { params, routeOptions: { config } }: FastifyRequest): boolean {
  if (code === 'not_allowed' || code === 'role_not_allowed' || code === 'not_fundator') return true
  if (code === 'two_factor_required') return config.access === 'operator'
  return REFUSALS[code] === 404 && code !== 'page_not_found' && Object.keys(params as object).length > 0
}

/** A hook for all calls: refused access is recorded, but where the route records its refusals itself. */
export function auditAccess(context: Context) {
  const often = countHere(MOST_OF_ACCESS)
  return async (request: FastifyRequest, _reply: FastifyReply, error: unknown): Promise<void> => {
    const { access, route } = request.routeOptions.config
    if (access === undefined || access === 'public' || route?.audit !== undefined) return
    const { code } = troubleOf(error, request)
    if (!isAboutAccess(code, request)) return
    const named = Object.entries(request.params as Record<string, string>)
    await recordRefusal(context, request, often, () => ({
      action: 'call.make',
      subject: `call:${request.method} ${request.routeOptions.url}`,
      details: { code, ...Object.fromEntries(named.map(([name, text]) => [name, text.slice(0, LONGEST)])) },
    }))
  }
}
