/** Processes that die at a chosen moment: at their n-th word to the database, a node or the signer, unsent or unanswered. */
import { createLife, type Life } from '../apps/gateway/src/testing/mortal.ts'
import type { Chance } from '../bench/random.ts'

/** Long enough for every step: nobody dies. */
const FOREVER = Number.MAX_SAFE_INTEGER
/** More words than any step speaks. */
const LONGEST = 60

/** A life that ends somewhere in the step in this share of all cases. */
export function someLife(chance: Chance, share: number): Life {
  const dies = chance.happens(share)
  // Drawn in any case, so that what follows does not depend on whether this one dies.
  const after = chance.below(LONGEST)
  const how = chance.happens(0.5) ? 'unsent' : 'unanswered'
  return createLife({ after: dies ? after : FOREVER, how })
}

/** Everything asked of something outside, as a mortal process asks it. */
export function mortal<Port extends object>(port: Port, life: Life): Port {
  return new Proxy(port, {
    get(target, key) {
      const part: unknown = Reflect.get(target, key)
      if (typeof part !== 'function') return part
      return (...args: unknown[]) => life.call(async () => part.apply(target, args))
    },
  })
}
