/** A loop around steps: when the next one is due, and what happens when one fails. */
import { backoffMs } from './backoff.rules.ts'
import { describeError, type Log } from './log.ts'
import { pause } from './pause.ts'

export interface RepeatOptions {
  /** In the log, before what happened. */
  readonly name: string
  readonly log: Log
  readonly everyMs: number
  /** The longest pause after failures. */
  readonly limitMs: number
  /** @param now the system's time */
  readonly step: (now: Date) => Promise<{ readonly busy: boolean }>
}

/** Steps until the signal; a failing step is waited out, never the end. */
export async function repeat(options: RepeatOptions, signal: AbortSignal): Promise<void> {
  const { name, log, everyMs, limitMs, step } = options
  let failures = 0
  while (!signal.aborted) {
    let waitMs = everyMs
    try {
      const { busy } = await step(new Date())
      if (failures > 0) log.info(`${name}.recovered`, { failures })
      failures = 0
      if (busy) waitMs = 0
    } catch (error) {
      failures += 1
      waitMs = backoffMs(failures, everyMs, limitMs)
      log.error(`${name}.failed`, { error: describeError(error), failures, waitMs })
    }
    await pause(waitMs, signal)
  }
}
