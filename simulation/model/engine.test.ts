import fc from 'fast-check'
import { expect, it } from 'vitest'
import { histories } from './arbitraries.ts'
import { playInMemory } from './engine-driver.ts'

/** Many more a night: `npm run model`. */
const CASES = 500

it('the engine and the model that was written without it agree to the micro-USDT on every history', () => {
  fc.assert(
    fc.property(histories(), (history) => {
      expect(playInMemory(history)).toEqual([])
    }),
    { numRuns: CASES },
  )
})
