import { setTimeout as sleep } from 'node:timers/promises'

/** Waits, or returns early when the process is to stop. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}
