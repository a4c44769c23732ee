/**
 * Reads `from` to `to`, at most `inFlight` at a time, and gives the results in order. Nothing else is held: a result
 * leaves with whoever takes it. The first failure ends the reading where it belongs in the order.
 */
export async function* readAhead<Result>(
  from: number,
  to: number,
  inFlight: number,
  read: (number: number) => Promise<Result>,
): AsyncGenerator<Result, void, undefined> {
  const running: Promise<Result>[] = []
  let next = from
  const fill = () => {
    for (; next <= to && running.length < inFlight; next += 1) {
      const result = read(next)
      // Whoever awaits it hears of a failure; one behind the first failure is heard by nobody, and must not end us.
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
