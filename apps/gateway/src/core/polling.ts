/** Repeats a step until the process stops. A failing step is retried after a growing pause; it never ends the loop. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describeError, type Log, type LogFields } from './log.ts'

export interface PollingOptions {
  /** Prefix of the log events `<name>.failed` and `<name>.recovered`. */
  readonly name: string
  readonly log: Log
  readonly everyMs: number
  /** The longest pause after failures. */
  readonly limitMs: number
  /** @param now the system's time. `busy` asks for the next step at once, `waitMs` for one later than usual. */
  readonly step: (now: Date) => Promise<{ readonly busy: boolean; readonly waitMs?: number }>
  /** Adds fields to the log line of a failure. */
  readonly describe?: (error: unknown) => LogFields
}

export async function poll(options: PollingOptions, signal: AbortSignal): Promise<void> {
  const { name, log, everyMs, limitMs, step, describe } = options
  let failures = 0
  while (!signal.aborted) {
    let waitMs = everyMs
    try {
      const { busy, waitMs: asked = 0 } = await step(new Date())
      if (failures > 0) log.info(`${name}.recovered`, { failures })
      failures = 0
      waitMs = busy && asked === 0 ? 0 : Math.max(everyMs, asked)
    } catch (error) {
      failures += 1
      waitMs = backoffMs(failures, everyMs, limitMs)
      log.error(`${name}.failed`, { ...describe?.(error), error: describeError(error), failures, waitMs })
    }
    await pause(waitMs, signal)
  }
}

/** How long to wait after so many failures in a row: doubles each time, up to `limitMs`. */
export function backoffMs(failures: number, firstMs: number, limitMs: number): number {
  // After thirty doublings the limit applies anyway; the exponent stays where a double is exact.
  return Math.min(limitMs, firstMs * 2 ** Math.min(Math.max(failures - 1, 0), 30))
}

/** Waits, or returns early when the process is to stop. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

export async function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise<void>((stopped) => signal.addEventListener('abort', () => stopped(), { once: true }))
}
