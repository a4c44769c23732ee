import fc from 'fast-check'
import { expect, inject, it } from 'vitest'
import { histories, SMALL } from './arbitraries.ts'
import { playOnDatabase } from './database-driver.ts'

/** More than 500 times, two pages are compared after a step. Many more a night: `npm run model -- --database 10000`. */
const CASES = 25
const LIMIT_MS = 300_000

it(
  'the database and the model agree to the micro-USDT on every history, and the ledger is clean after it',
  () =>
    fc.assert(
      fc.asyncProperty(histories(SMALL), async (history) => {
        expect(await playOnDatabase(inject('ownerUrl'), history)).toEqual([])
      }),
      // what is made smaller is played on a database as well: it ends with the smallest that there was time for
      { numRuns: CASES, interruptAfterTimeLimit: LIMIT_MS - 20_000, markInterruptAsFailure: true },
    ),
  LIMIT_MS,
)
