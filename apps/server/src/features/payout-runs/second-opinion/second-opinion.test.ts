import fc from 'fast-check'
import { expect, it } from 'vitest'
import { histories } from './arbitraries.ts'
import { askEngine } from './engine-driver.ts'

/** Many more a night: `npm run second-opinion`. */
const CASES = 500

it('the engine and the model that was written without it agree to the micro-USDT on every history', () => {
  fc.assert(
    fc.property(histories(), (history) => {
      expect(askEngine(history)).toEqual([])
    }),
    { numRuns: CASES },
  )
})
