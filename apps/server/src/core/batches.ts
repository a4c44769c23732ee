/** Work in batches, so that no statement holds its locks for long. */

const BATCH = 1000
/** The limit of one run; the rest waits for the next one. */
const MOST_BATCHES = 500

/**
 * Repeats until a batch comes back smaller than it may be, or there were very many.
 * @param work takes at most so many, and answers how many it took
 * @returns how many in all
 */
export async function inBatches(work: (most: number) => Promise<number>): Promise<number> {
  let sum = 0
  for (let batch = 0; batch < MOST_BATCHES; batch += 1) {
    const taken = await work(BATCH)
    sum += taken
    if (taken < BATCH) break
  }
  return sum
}
