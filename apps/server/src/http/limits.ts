/** How often a declared route may be called. */
import type { FastifyRequest } from 'fastify'
import type { Limits } from '../core/limits.ts'
import type { Caller } from './access.ts'
import { clientOf, createRateLimit } from './rate-limits.ts'

/** Who sent a request. */
export interface Sender {
  readonly caller: Caller | null
  /** The address, or the network of one; see `clientOf`. */
  readonly client: string
}

export interface LimitRule<Input> {
  readonly limit: keyof Limits
  /** What is counted: calls of a member, of an address, or of a key of one's own. Null: this call is not counted. */
  readonly by: 'member' | 'address' | ((input: Input, sender: Sender) => string | null)
  /** A call that succeeds sets the count back to zero. */
  readonly resetOnSuccess?: true
  /** Not every call counts: the handler says so with `call.take(limit)`. */
  readonly onDemand?: true
}

/** The limits of one call, whose keys are known. */
export interface CallLimits {
  /** Counts the call. @throws Refusal `too_many_requests` */
  takeAll(): Promise<void>
  take(limit: keyof Limits): Promise<void>
  succeed(): Promise<void>
}

function keyOf<Input>({ by }: LimitRule<Input>, input: Input, sender: Sender): string | null {
  if (by === 'address') return sender.client
  if (by !== 'member') return by(input, sender)
  if (sender.caller === null) throw new Error('a public route has no member to count')
  return String(sender.caller.memberId)
}

/** The counts live in this process, one for each rule of each route. Rules are applied in their order. */
export function createLimits<Input>(limits: Limits, rules: readonly LimitRule<Input>[]) {
  const counters = rules.map((rule) => ({ rule, counter: createRateLimit(limits[rule.limit]) }))
  return (request: FastifyRequest, input: Input): CallLimits => {
    const sender = { caller: request.caller, client: clientOf(request.ip) }
    const counted = (wanted: (rule: LimitRule<Input>) => boolean) =>
      counters.flatMap(({ rule, counter }) => {
        const key = wanted(rule) ? keyOf(rule, input, sender) : null
        return key === null ? [] : [{ key, counter }]
      })
    return {
      async takeAll() {
        for (const { key, counter } of counted((rule) => rule.onDemand !== true)) await counter.take(key)
      },
      async take(limit) {
        const declared = counted((rule) => rule.limit === limit && rule.onDemand === true)
        if (declared.length === 0) throw new Error(`the route declares no limit ${limit} on demand`)
        for (const { key, counter } of declared) await counter.take(key)
      },
      async succeed() {
        for (const { key, counter } of counted((rule) => rule.resetOnSuccess === true))
          await counter.forgive(key)
      },
    }
  }
}
