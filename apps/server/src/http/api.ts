import type {
  FastifyBaseLogger,
  FastifyInstance,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerDefault,
} from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import type { Context, Decision } from '../core/context.ts'
import type { Counts } from './counts.ts'
import type { ReadAnywhere } from './replica-reads.ts'

export type Api = FastifyInstance<
  RawServerDefault,
  RawRequestDefaultExpression<RawServerDefault>,
  RawReplyDefaultExpression<RawServerDefault>,
  FastifyBaseLogger,
  ZodTypeProvider
>

/** A feature's routes; paths begin after `/api`. Those of pages begin at the top, and have no caller. */
export type FeatureRoutes = (api: Api, context: Context) => void

/**
 * Checks the code of a decision and uses it up.
 * @param now system time
 * @throws Refusal `otp_required`, `otp_invalid`, `two_factor_required`, `too_many_requests`
 */
export type ConfirmDecision = (context: Context, decision: Decision, now: Date) => Promise<void>

declare module 'fastify' {
  interface FastifyInstance {
    /** Where people reach the product, for absolute links. */
    publicUrl: string
    confirmDecision: ConfirmDecision
    counts: Counts
    readAnywhere: ReadAnywhere
  }
}
