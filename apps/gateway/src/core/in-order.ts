/**
 * Runs `work` on the items, at most `inFlight` at a time, and yields the results in the items' order. The first failure
 * in that order ends the iteration. Stopping the iteration starts no further work.
 */
export async function* mapInOrder<Item, Result>(
  items: Iterable<Item>,
  inFlight: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const source = items[Symbol.iterator]()
  const running: Promise<Result>[] = []
  const fill = () => {
    while (running.length < inFlight) {
      const next = source.next()
      if (next.done) return
      const result = work(next.value)
      // A failure behind the first one is never awaited; without this handler it would end the process.
      result.catch(() => undefined)
      running.push(result)
    }
  }
  fill()
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const result = await first
    fill()
    yield result
  }
}

/** The whole numbers from `first` to `last`; none where `last` is smaller. */
export function* range(first: number, last: number): Generator<number, void, undefined> {
  for (let number = first; number <= last; number += 1) yield number
}
