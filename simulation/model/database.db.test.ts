import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { histories, SMALL } from './arbitraries.ts'
import { playOnDatabase } from './database-driver.ts'

/** More than 500 times, two pages are compared after a step. Many more a night: `npm run model -- --database 10000`. */
const CASES = 25
/** A history that fails is made smaller until then; a test of the long proof is ended after half an hour. */
const SHRINKING_UNTIL_MS = 1_500_000

it('the database and the model agree to the micro-USDT on every history, and the ledger is clean after it', () =>
  fc.assert(
    fc.asyncProperty(histories(SMALL), async (history) => {
      expect(await playOnDatabase(inject('ownerUrl'), history)).toEqual([])
    }),
    // what is made smaller is played on a database as well: it ends with the smallest that there was time for
    { numRuns: CASES, interruptAfterTimeLimit: SHRINKING_UNTIL_MS, markInterruptAsFailure: true },
  ))
