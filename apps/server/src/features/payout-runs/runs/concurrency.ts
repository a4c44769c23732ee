/** How much payout work the database does at a time, of all runs of this process. */
import pLimit from 'p-limit'
import { listenForReads } from '../../../core/reads.ts'
import { MOST_CONCURRENT } from './runs.rules.ts'

/** How long after the API was last asked the second permit comes back. */
const QUIET_MS = 250
/** While members read: three quarters of the time are theirs. A million are then paid in half a minute instead of eight seconds. */
const REST_PER_WORK = 3

const permits = pLimit(MOST_CONCURRENT)
let quiet: NodeJS.Timeout | undefined

/** One permit while members read, with rests in between. At night a run uses both. */
export function yieldToReader(): void {
  permits.concurrency = 1
  clearTimeout(quiet)
  quiet = setTimeout(() => {
    permits.concurrency = MOST_CONCURRENT
  }, QUIET_MS)
  quiet.unref()
}

/** Does heavy work when there is a permit, which rests afterwards while members read. Must not be called from within such work. */
export function withPermit<Result>(work: () => Result | Promise<Result>): Promise<Result> {
  return permits(async () => {
    const begun = performance.now()
    const result = await work()
    const restMs = (performance.now() - begun) * REST_PER_WORK
    if (permits.concurrency < MOST_CONCURRENT) await new Promise((resolve) => setTimeout(resolve, restMs))
    return result
  })
}

/** From now on, payout work of this process yields to readers of the API. */
export function yieldToReaders(databaseUrl: string): { stop(): Promise<void> } {
  return listenForReads(databaseUrl, yieldToReader)
}
