/** Refusals of calls about money stand in the audit trail, also of input that never reached a command. */
import type { RefusalCode } from '@aval/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAccess } from '../core/access-token.ts'
import { recordAudit } from '../core/audit.sql.ts'
import type { Context } from '../core/context.ts'
import type { Limit } from '../core/limits.ts'
import { bearerOf } from './access.ts'
import { troubleOf } from './errors.ts'
import { createRateLimit } from './limits.ts'

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
const LONGEST = 80

/** A field of the body as it was sent, cut short. Codes are never among those asked for. */
function sent(body: unknown, name: string): string | null {
  if (body === null || typeof body !== 'object' || !Object.hasOwn(body, name)) return null
  const value = (body as Record<string, unknown>)[name]
  return typeof value === 'object' ? null : String(value).slice(0, LONGEST)
}

/** Who calls: also over a session that has ended, which the token still names. */
async function actorOf(context: Context, request: FastifyRequest): Promise<bigint | null> {
  if (request.caller !== null) return request.caller.memberId
  const token = bearerOf(request.headers.authorization)
  const claims = token === null ? null : await readAccess(context.config.jwtKey, token)
  return claims?.memberId ?? null
}

/**
 * A hook for a route: whatever it refuses is recorded under this action, with what was asked for. Strangers, whose tokens
 * are nobody's, leave nothing.
 * @param fields of the body to be kept; never a code
 */
export function auditRefusals(context: Context, action: string, fields: readonly string[] = []) {
  const often = createRateLimit(MOST)
  return async (request: FastifyRequest, _reply: FastifyReply, error: unknown): Promise<void> => {
    const { code } = troubleOf(error, request)
    if (UNTOLD.includes(code)) return
    try {
      const actorId = await actorOf(context, request)
      if (actorId === null) return
      await often.take(String(actorId))
      const { id } = request.params as { id?: string }
      const asked = fields.flatMap((name) => {
        const value = sent(request.body, name)
        return value === null ? [] : [[name, value]]
      })
      await recordAudit(context.db, {
        at: new Date(),
        actorId,
        action,
        outcome: 'refused',
        subject: id === undefined ? `member:${actorId}` : `${action.split('.')[0]}:${id.slice(0, LONGEST)}`,
        details: { code, ...Object.fromEntries(asked) },
      })
    } catch (failure) {
      // The answer is the refusal, whether or not it could be written down.
      request.log.warn({ err: failure, action }, 'a refusal was not recorded')
    }
  }
}
