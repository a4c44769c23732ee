/** How often a call may be made: of a declared route, by its rules. */
import { isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Limits } from '../core/limits.ts'
import { groupsOf, plainAddress } from '../core/networks.rules.ts'
import type { Caller } from './access.ts'
import type { Counts } from './counts.ts'

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
  return String(sender.caller.viewer ?? sender.caller.memberId)
}

/**
 * A count for each rule of each route, the same one in all processes. Rules are applied in their order.
 * @param route its name, by which the other processes know it
 */
export function createLimits<Input>(
  counts: Counts,
  limits: Limits,
  route: string,
  rules: readonly LimitRule<Input>[] = [],
) {
  const counters = rules.map((rule, place) => ({
    rule,
    counter: counts.limit(`${route} ${place} ${rule.limit}`, limits[rule.limit]),
  }))
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
