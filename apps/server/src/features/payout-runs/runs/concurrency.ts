/** How much payout work the database does at a time, of all runs of this process. */
import pLimit from 'p-limit'
import { listenForReads } from '../../../core/reads.ts'
import { MOST_CONCURRENT } from './runs.rules.ts'

/** How long after the API was last asked the second permit comes back. */
const QUIET_MS = 250

const permits = pLimit(MOST_CONCURRENT)
let quiet: NodeJS.Timeout | undefined

/** One permit while members read: they have a core. At night a run uses both. */
export function yieldToReader(): void {
  permits.concurrency = 1
  clearTimeout(quiet)
  quiet = setTimeout(() => {
    permits.concurrency = MOST_CONCURRENT
  }, QUIET_MS)
  quiet.unref()
}

/** Does heavy work on the database when there is a permit. Must not be called from within such work. */
export function withPermit<Result>(work: () => Promise<Result>): Promise<Result> {
  return permits(work)
}

/** From now on, payout work of this process leaves readers of the API a core. */
export function yieldToReaders(databaseUrl: string): { stop(): Promise<void> } {
  return listenForReads(databaseUrl, yieldToReader)
}
