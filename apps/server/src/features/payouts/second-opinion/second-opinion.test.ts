import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { histories } from './arbitraries.ts'
import { differences } from './comparing.ts'
import { playOnEngine, type Way } from './engine-driver.ts'
import { tell } from './model.ts'

/** Many more a night: `npm run second-opinion`. */
const CASES = 250

describe('the engine and the model that was written without it', () => {
  it.each<[how: string, way: Way]>([
    ['read at once', 'climbed'],
    ['walked one by one', 'walked'],
  ])('agree to the micro-USDT on every history, with sponsor chains %s', (_, way) => {
    fc.assert(
      fc.property(histories(), (history) => {
        expect(differences(tell(history), playOnEngine(history, way))).toEqual([])
      }),
      { numRuns: CASES },
    )
  })
})
