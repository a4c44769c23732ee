/** Work on many items in which a failure of one does not stop the others. */
import { isOutage, sqlState } from '@aval/db'

const MOST_NAMED = 5
/** A statement, and a wait for a lock. */
const TIMED_OUT = new Set<string | null>(['57014', '55P03'])

/** Whether the next item would fail in the same way. What timed out may be this item's own. */
const failsAll = (error: unknown): boolean =>
  error instanceof AggregateError
    ? error.errors.some(failsAll)
    : isOutage(error) && !TIMED_OUT.has(sqlState(error))

function summary(failures: readonly unknown[]): Error {
  const [first] = failures
  if (failures.length === 1 && first instanceof Error) return first
  const named = failures.slice(0, MOST_NAMED).map((failure) => String(failure))
  return new AggregateError(failures, `${failures.length} failed: ${named.join('; ')}`)
}

/**
 * Does the work for each item, one after the other. A failure does not stop the rest.
 * @throws what failed, after the last item; an outage of the database at once
 */
export async function eachIsolated<Item>(
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
 * Does the work for lots of so many items together; where that fails, for each item of the lot alone. So a failure of one does not stop the
 * rest, and what can be done together takes a few statements instead of a few for each.
 * @param together gives those that it left: they are done alone
 * @throws what failed alone, after the last item; an outage of the database at once
 */
export async function lotsIsolated<Item>(
  items: readonly Item[],
  size: number,
  together: (lot: readonly Item[]) => Promise<readonly Item[]>,
  alone: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left: Item[] = []
  for (let at = 0; at < items.length; at += size) {
    const lot = items.slice(at, at + size)
    try {
      left.push(...(await together(lot)))
    } catch (error) {
      if (failsAll(error)) throw error
      left.push(...lot)
    }
  }
  await eachIsolated(left, alone)
}

/**
 * Does the work for all items at once. A failure does not stop the rest.
 * @throws what failed, after all have ended; of an outage only that
 */
export async function allIsolated<Item>(items: readonly Item[], work: (item: Item) => Promise<unknown>) {
  const results = await Promise.allSettled(items.map((item) => work(item)))
  const failures = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  )
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
