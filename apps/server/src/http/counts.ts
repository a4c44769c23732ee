/**
 * Counts of calls. Where several processes answer, what limits guesses at a secret is counted in the database, once for all of them;
 * what only keeps one process from being flooded is counted in its memory (decision 069).
 */
import { createHmac } from 'node:crypto'
import { openPool, type Patience } from '@aval/db'
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible'
import type { Config } from '../config.ts'
import type { Limit } from '../core/limits.ts'
import { Refusal } from '../core/refusal.ts'
import { keyFor } from '../core/seal.ts'

/** Counts how often a key came. */
export interface RateLimit {
  /** @throws Refusal `too_many_requests` with the seconds to wait */
  take(key: string): Promise<void>
  /** Forgets what a key took. */
  forgive(key: string): Promise<void>
}

export interface Counts {
  /** @param name what is counted; the same in every process */
  limit(name: string, limit: Limit): RateLimit
  close(): Promise<void>
}

/** So few that a flood of counted calls leaves the other connections to members; idle ones close by themselves. */
const CONNECTIONS = 2

function limitBy(limiter: RateLimiterMemory | RateLimiterPostgres): RateLimit {
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

/** Counts in this process, and is gone with it. */
export const countHere = ({ points, seconds }: Limit): RateLimit =>
  limitBy(new RateLimiterMemory({ points, duration: seconds }))

/**
 * Counts in the database, on connections of its own: a handler may count while it holds a transaction. A key that is over its limit is
 * refused from memory until that ends, so that a flood writes nothing. Nothing connects until something is counted.
 */
export function openCounts(
  { databaseUrl, jwtKey }: Pick<Config, 'databaseUrl' | 'jwtKey'>,
  patience?: Patience,
): Counts {
  const pool = openPool(databaseUrl, {
    max: CONNECTIONS,
    application_name: 'aval-api',
    connectionTimeoutMillis: 10_000,
    ...(patience && { patience }),
  })
  const secret = keyFor(jwtKey, 'counted calls')
  return {
    limit(name, { points, seconds }) {
      const limiter = new RateLimiterPostgres({
        storeClient: pool,
        storeType: 'pool',
        tableName: 'call_count',
        tableCreated: true,
        // The worker does it.
        clearExpiredByTimeout: false,
        keyPrefix: '',
        points,
        duration: seconds,
        inMemoryBlockOnConsumed: points,
      })
      const counted = limitBy(limiter)
      // The table tells nobody from where people come, and at what they guess.
      const hashed = (key: string) =>
        createHmac('sha256', secret).update(`${name}\n${key}`).digest('base64url')
      return {
        take: (key) => counted.take(hashed(key)),
        forgive: (key) => counted.forgive(hashed(key)),
      }
    },
    close: () => pool.end(),
  }
}
