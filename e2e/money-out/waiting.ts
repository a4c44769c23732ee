import { setTimeout as pause } from 'node:timers/promises'

const LIMIT_MS = 45_000
const LOOK_EVERY_MS = 20

/**
 * Looks until there is something to see. Between a kill and the restart most questions fail, so an error is not the end; the
 * last one is told when the time is up.
 */
export async function until<Seen>(what: string, look: () => Promise<Seen | null | false>): Promise<Seen> {
  const deadline = performance.now() + LIMIT_MS
  let last: unknown = null
  while (performance.now() < deadline) {
    try {
      const seen = await look()
      if (seen !== null && seen !== false) return seen
      last = null
    } catch (error) {
      last = error
    }
    await pause(LOOK_EVERY_MS)
  }
  throw new Error(`${what}: not within ${LIMIT_MS / 1000} s`, { cause: last })
}
