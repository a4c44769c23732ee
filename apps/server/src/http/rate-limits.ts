import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Limit } from '../core/limits.ts'
import { Refusal } from '../core/refusal.ts'

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

/** Whom an address stands for: in IPv6 whoever has one has the 2^64 of its network, so they count as one. */
export function clientOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  if (!isIPv6(address)) return address
  const [before = '', after] = address.split('%')[0]?.split('::') ?? []
  const head = before === '' ? [] : before.split(':')
  const tail = after === undefined || after === '' ? [] : after.split(':')
  const zeros = after === undefined ? 0 : 8 - head.length - tail.length
  const groups = [...head, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...tail]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
