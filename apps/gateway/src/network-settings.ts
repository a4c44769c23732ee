/** Limits and intervals of each network: the development chain makes a block a second, the others one in three. */
import type { HealthLimits } from './chain/health.rules.ts'
import type { CustodyIntervals } from './custody/context.ts'
import type { RetryIntervals } from './outgoing/context.ts'

export const NETWORKS = ['devnet', 'nile', 'shasta', 'mainnet'] as const
export type Network = (typeof NETWORKS)[number]

interface NetworkSettings {
  readonly healthLimits: HealthLimits
  readonly retry: RetryIntervals
  readonly custody: CustodyIntervals
  /** How often the chain is polled once everything is read. */
  readonly pollMs: number
  /** How often withdrawals are checked while there are none to send. */
  readonly sendMs: number
  /** The longest pause after failures. */
  readonly limitMs: number
  /** How long a transfer can enter the chain after it was built. */
  readonly lifetimeMs: number
  /** How often the leading gateway says so, and the others look; several times in `LEASE_SECONDS`. */
  readonly renewMs: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

const DEVELOPMENT: NetworkSettings = {
  // Its clock is its own and can be set, and its blocks may be up to a minute apart.
  healthLimits: {
    maxUnread: 20,
    maxUnsolid: 150,
    maxHeadAgeMs: 3 * MINUTE,
    maxSkewMs: null,
    afterJumpMs: 3 * SECOND,
  },
  retry: { recheckMs: 2 * SECOND, capMs: 30 * SECOND, rebroadcastMs: 3 * SECOND },
  custody: {
    readMs: 15 * SECOND,
    afterMoveMs: 2 * SECOND,
    moveMs: 3 * SECOND,
    retryMs: 30 * SECOND,
    addresses: 50,
  },
  pollMs: 400,
  sendMs: 300,
  limitMs: 2 * SECOND,
  lifetimeMs: MINUTE,
  renewMs: SECOND,
}

const PUBLIC: NetworkSettings = {
  healthLimits: { maxUnread: 20, maxUnsolid: 100, maxHeadAgeMs: MINUTE, maxSkewMs: 5 * MINUTE },
  retry: { recheckMs: 15 * SECOND, capMs: 5 * MINUTE, rebroadcastMs: 6 * SECOND },
  custody: {
    readMs: MINUTE,
    afterMoveMs: 5 * SECOND,
    moveMs: 15 * SECOND,
    retryMs: 10 * MINUTE,
    addresses: 20,
  },
  pollMs: 2 * SECOND,
  sendMs: 500,
  limitMs: 30 * SECOND,
  lifetimeMs: 10 * MINUTE,
  renewMs: 3 * SECOND,
}

export function settingsOf(network: string): NetworkSettings {
  return network === 'devnet' ? DEVELOPMENT : PUBLIC
}
