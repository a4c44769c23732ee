/** Work on many things of which none may wait for another that cannot be done. */
import { isOutage, sqlState } from '@aval/db'

const MOST_TOLD = 5
const TIMED_OUT = '57014'

/** Whether the next item would fail in the same way. A statement that took too long may be this item's own. */
const failsAll = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.some(failsAll)
    : isOutage(error) && sqlState(error) !== TIMED_OUT

function summary(failures: readonly unknown[]): Error {
  const [first] = failures
  if (failures.length === 1 && first instanceof Error) return first
  const told = failures.slice(0, MOST_TOLD).map((failure) => String(failure))
  return new AggregateError(failures, `${failures.length} failed: ${told.join('; ')}`)
}

/**
 * Does the work for each item, one after the other; what fails for one does not keep the rest from being done.
 * @throws at the end what failed, or at once when the database cannot be asked
 */
export async function eachApart<Item>(
  items: Iterable<Item> | AsyncIterable<Item>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = []
  for await (const item of items) {
    try {
      await work(item)
    } catch (error) {
      if (failsAll(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0) throw summary(failures)
}

/**
 * Does the work for all items at once; what fails for one does not keep the rest from being done.
 * @throws when all have come to an end, what failed, or only that the database could not be asked
 */
export async function allApart<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const told = await Promise.allSettled(items.map((item) => work(item)))
  const failures = told.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  if (failures.length > 0) throw failures.find(failsAll) ?? summary(failures)
}

const PAGE = 500

/** All rows of a query that reads upward from a key, a page in memory at a time. */
export async function* inPages<Row>(
  read: (after: bigint, limit: number) => Promise<readonly Row[]>,
  keyOf: (row: Row) => bigint,
): AsyncGenerator<Row> {
  let after = 0n
  for (;;) {
    const rows = await read(after, PAGE)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined || rows.length < PAGE) return
    after = keyOf(last)
  }
}
