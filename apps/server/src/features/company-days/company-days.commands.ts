/** Keeps the sums that the console's first page and its treasury read: by day and kind every ten minutes, by member every hour. */
import { type Database, inTransaction } from '@aval/db'
import type { JobContext } from '../../core/context.ts'
import { timeZoneAt } from '../plan-versions/plan-versions.queries.ts'
import * as store from './company-days.sql.ts'

/**
 * Sums the parts of the ledger that may have changed, each in a transaction of its own. A sealed part is summed a last time, and must agree
 * with its seal.
 *
 * @param now business time
 * @throws when it does not
 */
export async function sumDays(db: Database, now: Date): Promise<void> {
  const timeZone = await timeZoneAt(db, now)
  for (const part of await store.selectOpenParts(db)) {
    await inTransaction(db, async (tx) => {
      await store.allowMinutes(tx)
      const isSealed = await store.isSealed(tx, part)
      await store.sumPart(tx, part, timeZone)
      if (!isSealed) return
      if ((await store.countUnlikeSeal(tx, part)) > 0)
        throw new Error(`the sums by day of the ledger’s part ${part} differ from its seal`)
      await store.insertSummedPart(tx, part, now)
    })
  }
  await inTransaction(db, async (tx) => {
    await store.sumFees(tx, timeZone)
    await store.stampSummary(tx, 'fees', now)
    await store.stampSummary(tx, 'days', now)
  })
}

/** Sums what is read member by member. @param now business time */
export async function sumMembers(db: Database, now: Date): Promise<void> {
  const timeZone = await timeZoneAt(db, now)
  await inTransaction(db, async (tx) => {
    await store.allowMinutes(tx)
    await store.sumUnlocks(tx, now, timeZone)
    await store.stampSummary(tx, 'unlocks', now)
    await store.sumGrowth(tx, timeZone)
    await store.stampSummary(tx, 'growth', now)
  })
}

export const companyDaysJobs = ({ db, clock }: JobContext) => ({
  'company_days.sum': async () => sumDays(db, await clock.now()),
  'company_days.sum_members': async () => sumMembers(db, await clock.now()),
})
