/** How often a call may be made: of a declared route, by its rules. */
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Limit, Limits } from '../core/limits.ts'
import { groupsOf, plainAddress } from '../core/networks.rules.ts'
import { Refusal } from '../core/refusal.ts'
import type { Caller } from './access.ts'

/** Counts how often a key came. The counts live in this process and are gone with it. */
export interface RateLimit {
  /** @throws Refusal `too_many_requests` with the seconds to wait */
  take(key: string): Promise<void>
  /** Forgets what a key took. */
  forgive(key: string): Promise<void>
}

export function createRateLimit(limit: Limit): RateLimit {
  const limiter = new RateLimiterMemory({ points: limit.points, duration: limit.seconds })
  return {
    async take(key) {
      try {
        await limiter.consume(key)
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        throw new Refusal('too_many_requests', {
          seconds: Math.max(1, Math.ceil(refused.msBeforeNext / 1000)),
        })
      }
    },
    async forgive(key) {
      await limiter.delete(key)
    },
  }
}

/** Whom an address stands for: in IPv6 a caller with one address has all 2^64 of its network, so they count as one. */
export function clientOf(address: string): string {
  const plain = plainAddress(address)
  return isIPv6(plain) ? (groupsOf(plain) ?? []).slice(0, 4).join(':') : plain
}

/** Who sent a request. */
interface Sender {
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
interface CallLimits {
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
