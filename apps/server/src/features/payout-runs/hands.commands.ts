import { setTimeout as pause } from 'node:timers/promises'
import type { Db } from '@aval/db'
import { createHands } from '../../core/hands.ts'
import { selectOthersAtWork } from './chunks.sql.ts'
import { HANDS } from './payouts.rules.ts'

/** All payout work of this process shares these, whatever run it is for. */
const hands = createHands(HANDS)

/** How often a hand that waits for others to be done looks again. */
const LOOK_EVERY_MS = 15
/** A minute: who asks without end is given way to, but not for good. */
const MOST_LOOKS = 4000

/**
 * Does heavy work on the database when a hand is free. The second hand helps only while nobody else asks the database for
 * anything: at night a run has both cores, by day whoever reads a page has one.
 */
export async function lend<Result>(db: Db, work: () => Promise<Result>): Promise<Result> {
  for (let looks = 0; hands.busy() > 0 && looks < MOST_LOOKS; looks += 1) {
    if (!(await selectOthersAtWork(db))) break
    await pause(LOOK_EVERY_MS)
  }
  return hands.lend(work)
}
