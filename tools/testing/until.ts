import { setTimeout as pause } from 'node:timers/promises'

const LIMIT_MS = 240_000

/**
 * Polls until there is a result. Between a kill and the restart most calls fail, so an error does not end it; the last one is
 * the cause of what is thrown when the time is up.
 */
export async function until<Result>(
  what: string,
  poll: () => Promise<Result | null | false>,
  everyMs = 20,
): Promise<Result> {
  const deadline = performance.now() + LIMIT_MS
  let cause: unknown = null
  while (performance.now() < deadline) {
    try {
      const result = await poll()
      if (result !== null && result !== false) return result
      cause = null
    } catch (error) {
      cause = error
    }
    await pause(everyMs)
  }
  throw new Error(`${what}: not within ${LIMIT_MS / 1000} s`, { cause })
}
