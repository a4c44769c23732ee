/** How fast things go on each network: the development chain makes a block a second, the others one in three. */
import type { Soundness } from './chain/standing.rules.ts'
import type { Timing } from './custody/timing.rules.ts'
import type { Pace } from './outgoing/pace.rules.ts'

interface Tempo {
  readonly soundness: Soundness
  readonly pace: Pace
  readonly timing: Timing
  /** How often payments are looked at while there are none to make. */
  readonly payoutsMs: number
}

const SECOND = 1_000
const MINUTE = 60 * SECOND

const DEVELOPMENT: Tempo = {
  // Its clock is its own and can be set, and its blocks may be up to a minute apart.
  soundness: { unread: 20, unsolid: 150, stillMs: 3 * MINUTE, skewMs: null, calmMs: 5 * SECOND },
  pace: { recheckMs: 2 * SECOND, capMs: 30 * SECOND, rebroadcastMs: 3 * SECOND },
  timing: {
    readMs: 15 * SECOND,
    afterMoveMs: 2 * SECOND,
    moveMs: 3 * SECOND,
    retryMs: 30 * SECOND,
    addresses: 50,
  },
  payoutsMs: 300,
}

const PUBLIC: Tempo = {
  soundness: { unread: 20, unsolid: 100, stillMs: MINUTE, skewMs: 5 * MINUTE },
  pace: { recheckMs: 15 * SECOND, capMs: 5 * MINUTE, rebroadcastMs: 6 * SECOND },
  timing: {
    readMs: MINUTE,
    afterMoveMs: 5 * SECOND,
    moveMs: 15 * SECOND,
    retryMs: 10 * MINUTE,
    addresses: 20,
  },
  payoutsMs: 500,
}

export function tempoOf(network: string): Tempo {
  return network === 'devnet' ? DEVELOPMENT : PUBLIC
}
