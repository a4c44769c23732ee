import { createLifetime, type Lifetime } from '../apps/gateway/src/testing/crashes.ts'
import type { Chance } from '../bench/random.ts'

/** More calls than any step makes. */
const LONGEST = 60

/** A process that crashes somewhere in the step in this share of all cases. */
export function randomLifetime(chance: Chance, share: number): Lifetime {
  const crashes = chance.happens(share)
  // Drawn in any case, so that what follows does not depend on whether this one crashes.
  const after = chance.below(LONGEST)
  const how = chance.happens(0.5) ? 'unsent' : 'unanswered'
  return createLifetime({ after: crashes ? after : Number.MAX_SAFE_INTEGER, how })
}
